/* Under which names files are opened, so that the host can keep what the program read of them. */
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>

#include "guest/os/fmt.h"
#include "guest/os/sys.h"
#include "guest/record/record.h"

/* Where the descriptor leads, wherever the program's directory is by now; bytes, 0: not known. */
static size_t where(int fd, char *to, size_t room)
{
	char link[32];
	long n;

	fmt_text(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = sys_call(SYS_readlink, (long)link, (long)to, (long)room, 0, 0, 0);
	return n > 0 ? (size_t)n : 0;
}

void rec_input_opened(struct rec_answer *a, const char *path)
{
	char names[2 * PATH_MAX];
	size_t n;

	a->failed = a->result < 0;
	if (rec_ctl && rec_ctl->flags & RECORD_INPUTS && path) {
		n = strnlen(path, PATH_MAX - 1);
		memcpy(names, path, n);
		names[n++] = 0;
		a->bytes = n;
		if (!a->failed)
			a->bytes += where((int)a->result, names + n, sizeof(names) - n);
		a->data = names;
	}
	rec_input_note(a);
}
