#include "guest/check/engine/files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "guest/check/mem/undo.h"
#include "guest/os/sys.h"

#define MAX_FDS 1024

static RT_RUN struct {
	uint64_t word[MAX_FDS / 64];
	uint32_t count;
} opened;

bool files_opened(int fd)
{
	return (unsigned int)fd < MAX_FDS && (opened.word[fd / 64] >> fd % 64 & 1);
}

bool files_can_open(int dir, const char *path, int flags)
{
	struct stat s;
	long found;

	if ((flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC | O_TMPFILE | O_PATH)))
		return false;
	found = sys_call(SYS_newfstatat, dir, (long)path, (long)&s,
			 flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0, 0, 0);
	return found < 0 || S_ISREG(s.st_mode);
}

void files_adopt(int fd)
{
	if (files_opened(fd))
		return;
	opened.word[fd / 64] |= UINT64_C(1) << fd % 64;
	opened.count++;
}

static long open_file(int dir, const char *path, int flags)
{
	long fd = sys_call(SYS_openat, dir, (long)path, flags, 0, 0, 0);

	if (fd < 0)
		return fd;
	if (fd >= MAX_FDS) {
		sys_close((int)fd);
		return -EMFILE;
	}
	files_adopt((int)fd);
	return fd;
}

static long close_file(int fd)
{
	opened.word[fd / 64] &= ~(UINT64_C(1) << fd % 64);
	opened.count--;
	return sys_close(fd);
}

/* The engine puts the offset of standard input back, if it has one. */
static bool is_input(int fd)
{
	return fd == 0 && sys_call(SYS_lseek, 0, 0, SEEK_CUR, 0, 0, 0) >= 0;
}

/* Calls of standard input that change nothing but its offset. */
static bool is_about_input(long number)
{
	return number == SYS_read || number == SYS_readv || number == SYS_pread64 ||
	       number == SYS_lseek;
}

void files_drop(int fd)
{
	if (files_opened(fd))
		close_file(fd);
}

/* Calls that change nothing but the descriptor itself. */
static bool is_about_descriptor(long number, long long second)
{
	switch (number) {
	case SYS_read:
	case SYS_readv:
	case SYS_pread64:
	case SYS_lseek:
	case SYS_close:
	case SYS_fadvise64:
		return true;
	case SYS_fcntl:
		return second == F_GETFL || second == F_GETFD || second == F_SETFD;
	default:
		return false;
	}
}

bool files_call(long number, long long *r)
{
	long long a = r[REG_RDI], b = r[REG_RSI], c = r[REG_RDX], d = r[REG_R10];
	long result;

	if (number == SYS_openat && files_can_open((int)a, (const char *)b, (int)c))
		result = open_file((int)a, (const char *)b, (int)c);
	else if (number == SYS_open && files_can_open(AT_FDCWD, (const char *)a, (int)b))
		result = open_file(AT_FDCWD, (const char *)a, (int)b);
	else if (is_about_input(number) && is_input((int)a))
		result = sys_call(number, a, b, c, d, r[REG_R8], r[REG_R9]);
	else if (!files_opened((int)a) || !is_about_descriptor(number, b))
		return false;
	else if (number == SYS_close)
		result = close_file((int)a);
	else
		result = sys_call(number, a, b, c, d, r[REG_R8], r[REG_R9]);
	/* The C library keeps streams in memory of its own, and the kernel wrote where it was told.
	 */
	undo_opaque();
	r[REG_RAX] = result;
	return true;
}

void files_close_all(void)
{
	for (int fd = 0; opened.count > 0 && fd < MAX_FDS; fd++)
		if (files_opened(fd))
			close_file(fd);
}
