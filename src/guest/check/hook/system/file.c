#include "guest/check/hook/system/file.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "guest/check/hook/memory/outside.h"
#include "guest/check/mem/undo.h"
#include "guest/os/fmt.h"
#include "guest/os/sys.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/fds.h"
#include "guest/check/sched/state.h"

#define MAX_FILES 256 /* files with contents that matter, in one run */

/*
 * A file by its name, which is the same in every run, as numbers of the kernel are not, and a
 * number for all that happened to it.  Files without a name (sockets, say) count as one.
 */
struct file {
	uint64_t key, state;
	uint64_t maps;
};

static struct file files[MAX_FILES];
static RT_RUN uint32_t file_count;

/* " (deleted)" is not part of a name; "#123" is what the kernel calls a file that never had one. */
static bool varies(const char *rest)
{
	return (rest[0] == ' ' && rest[1] == '(') ||
	       (rest[0] == '#' && rest[1] >= '0' && rest[1] <= '9');
}

/* Up to what differs from run to run, as in "socket:[". */
static uint64_t hash_name(const char *name, long n)
{
	uint64_t h = 0;

	for (long i = 0; i < n && name[i] != '[' && !varies(name + i); i++)
		h = hidden_mix(h, (unsigned char)name[i]);
	return h;
}

static uint64_t key_of(int fd)
{
	char link[32], name[256] = "";
	long n;

	fmt_text(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = sys_call(SYS_readlink, (long)link, (long)name, sizeof(name) - 1, 0, 0, 0);
	return hash_name(name, n);
}

static struct file *find(int fd, uint32_t site)
{
	uint64_t key = key_of(fd);

	for (uint32_t i = 0; i < file_count; i++)
		if (files[i].key == key)
			return &files[i];
	if (file_count == MAX_FILES) {
		rt_unseen(site, "more than %u files are used in one run", MAX_FILES);
		return &files[0];
	}
	undo_touch(&files[file_count], sizeof(files[0]));
	files[file_count] = (struct file){.key = key};
	return &files[file_count++];
}

static bool look(int fd, struct stat *s)
{
	memset(s, 0, sizeof(*s));
	return sys_call(SYS_fstat, fd, (long)s, 0, 0, 0, 0) == 0;
}

/* ---- offsets ---- */

/*
 * Copies of a descriptor share one, which nobody can ask; all descriptors of a file have one cell,
 * which makes behaviours too many at worst.
 */
static void move(struct file *f, enum file_use use, uint32_t site)
{
	uint64_t cell = hidden_cell(HIDDEN_FILE, f->key);
	uint64_t next = hidden_mix(f->state, (uint64_t)use);

	hidden_update(cell, f->state, next, use != FILE_WRITE && use != FILE_WRITE_AT, site);
	f->state = next;
	if (use == FILE_WRITE || use == FILE_WRITE_AT)
		hidden_do(hidden_named("sizes"), f->key, false, site);
}

void file_used(int fd, enum file_use use, uint32_t site)
{
	struct stat s;
	struct file *f;

	/* Nobody sees in which order output comes. */
	if ((fd == 1 || fd == 2) && (use == FILE_WRITE || use == FILE_WRITE_AT))
		return;
	if (!look(fd, &s) || (S_ISCHR(s.st_mode) && fd > 2))
		return;
	f = find(fd, site);
	if (f->maps)
		rt_unseen(site, "a file is read or written that is mapped into memory, too");
	undo_touch(f, sizeof(*f));
	if (use == FILE_READ_AT)
		hidden_read(hidden_cell(HIDDEN_FILE, f->key), f->state, site);
	else
		move(f, use, site);
}

void file_mapped(int fd, uint32_t site)
{
	struct stat s;
	struct file *f;

	if (!look(fd, &s))
		return;
	f = find(fd, site);
	if (f->maps)
		rt_unseen(site, "a file is mapped twice: one memory at two places");
	undo_touch(f, sizeof(*f));
	f->maps++;
}

/* ---- names and numbers ---- */

static RT_RUN bool numbers_moved; /* descriptors of the kernel, while there were several threads */

uint32_t file_names_step(const char *call, const char *path)
{
	uint32_t site = sched_take_site();
	uint64_t what = hash_name(call, (long)strlen(call));

	for (; *path; path++)
		what = hidden_mix(what, (unsigned char)*path);
	outside_stand(site);
	hidden_do(hidden_named("names"), what, true, site);
	return site;
}

static void numbers_mix(uint32_t site)
{
	rt_unseen(site, "descriptors of files and of pipes are made by several threads: which "
			"numbers they get is not followed");
}

void file_number_moved(uint32_t site)
{
	if (rt_thread_count < 2)
		return;
	numbers_moved = true;
	if (fds_any())
		numbers_mix(site);
}

uint32_t file_number_step(const char *call, const char *path)
{
	uint32_t site = file_names_step(call, path);

	file_number_moved(site);
	return site;
}

void file_number_modelled(uint32_t site)
{
	if (numbers_moved && rt_thread_count > 1)
		numbers_mix(site);
}

/* ---- the rest of the world ---- */

static const char *kind_name(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFSOCK:
		return "a socket";
	case S_IFIFO:
		return "a pipe";
	default:
		return "an object of the kernel";
	}
}

void file_outside(int fd, const char *call, uint32_t site)
{
	struct stat s;

	if (fd <= 2 || !look(fd, &s) || S_ISREG(s.st_mode) || S_ISCHR(s.st_mode) ||
	    S_ISDIR(s.st_mode))
		return;
	rt_unseen(site,
		  "%s on descriptor %d, %s from outside: what it holds may depend on what "
		  "threads do",
		  call, fd, kind_name(s.st_mode));
}
