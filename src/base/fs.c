#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static int code_of_errno(void)
{
	return errno == ENOENT || errno == ENOTDIR ? ERR_NOT_FOUND : ERR_IO;
}

/* Opens a regular file for reading and tells its size. */
static int open_regular(const char *path, int flags, int *fd, uint64_t *size, struct err *e)
{
	struct stat st;
	int rc = 0;

	/* O_NONBLOCK: a FIFO in the place of a file must not hang us. */
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
	if (*fd < 0)
		return err_errno(e, code_of_errno(), "cannot open %s", path);
	if (fstat(*fd, &st))
		rc = err_errno(e, ERR_IO, "cannot examine %s", path);
	else if (!S_ISREG(st.st_mode))
		rc = err_set(e, ERR_FORMAT, "%s is not a regular file", path);
	else
		*size = (uint64_t)st.st_size;
	if (rc)
		close(*fd);
	return rc;
}

ssize_t fs_read_up_to(int fd, void *to, size_t n)
{
	size_t done = 0;

	while (done < n) {
		ssize_t r = read(fd, (char *)to + done, n - done);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -1;
		if (r == 0)
			break;
		done += (size_t)r;
	}
	return (ssize_t)done;
}

static int read_file(const char *path, int flags, size_t limit, char **out, size_t *bytes,
		     struct err *e)
{
	uint64_t size;
	char *text;
	ssize_t n;
	int fd, rc;

	rc = open_regular(path, flags, &fd, &size, e);
	if (rc)
		return rc;
	if (size > limit) {
		close(fd);
		return err_set(e, ERR_LIMIT, "%s is larger than %zu bytes", path, limit);
	}
	/* One byte more than the size tells a file that grows while we read it. */
	text = xmalloc((size_t)size + 2);
	n = fs_read_up_to(fd, text, (size_t)size + 1);
	if (n < 0)
		rc = err_errno(e, ERR_IO, "cannot read %s", path);
	else if ((uint64_t)n > size)
		rc = err_set(e, ERR_IO, "%s changed while it was read", path);
	close(fd);
	if (rc) {
		free(text);
		return rc;
	}
	text[n] = '\0';
	*out = text;
	if (bytes)
		*bytes = (size_t)n;
	return 0;
}

int fs_read_file(const char *path, size_t limit, char **out, size_t *bytes, struct err *e)
{
	return read_file(path, 0, limit, out, bytes, e);
}

int fs_read_file_here(const char *path, size_t limit, char **out, size_t *bytes, struct err *e)
{
	return read_file(path, O_NOFOLLOW, limit, out, bytes, e);
}

int fs_write_all(int fd, const void *bytes, size_t n)
{
	const char *from = bytes;

	while (n) {
		ssize_t w = write(fd, from, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0) {
			errno = w == 0 ? ENOSPC : errno;
			return -1;
		}
		from += w;
		n -= (size_t)w;
	}
	return 0;
}

int fs_finish_output(FILE *stream, const char *name, struct err *e)
{
	bool failed = ferror(stream);

	errno = 0;
	if (!fflush(stream) && !failed)
		return 0;
	/* The reason of an earlier error is gone; the next write most likely has the same. */
	if (!errno)
		return err_set(e, ERR_IO, "cannot write %s", name);
	return err_errno(e, ERR_IO, "cannot write %s", name);
}

int fs_write_file(const char *path, const void *bytes, size_t n, struct err *e)
{
	char *temporary = xasprintf("%s.tmp.%d", path, (int)getpid());
	int rc = 0, fd;

	fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		rc = err_errno(e, ERR_IO, "cannot create %s", path);
		goto out;
	}
	if (fs_write_all(fd, bytes, n) || fsync(fd))
		rc = err_errno(e, ERR_IO, "cannot write %s", path);
	if (close(fd) && !rc)
		rc = err_errno(e, ERR_IO, "cannot write %s", path);
	if (!rc && rename(temporary, path))
		rc = err_errno(e, ERR_IO, "cannot write %s", path);
	if (rc)
		unlink(temporary);
out:
	free(temporary);
	return rc;
}

int fs_make_dirs(const char *path, struct err *e)
{
	char *copy = xstrdup(path), *end = copy;
	int rc = 0;

	while (*end && !rc) {
		char kept;

		end += strspn(end, "/");
		end += strcspn(end, "/");
		kept = *end;
		*end = '\0';
		if (*copy && !fs_is_dir(copy) && mkdir(copy, 0700) && errno != EEXIST)
			rc = err_errno(e, ERR_IO, "cannot create directory %s", copy);
		*end = kept;
	}
	free(copy);
	if (!rc && !fs_is_dir(path))
		rc = err_set(e, ERR_IO, "cannot create directory %s: a file is in the way", path);
	return rc;
}

int fs_remove_flat_dir(const char *path, struct err *e)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int rc = 0;

	if (!dir && errno == ENOENT)
		return 0;
	if (!dir)
		return err_errno(e, ERR_IO, "cannot open directory %s", path);
	while (!rc && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (unlinkat(dirfd(dir), entry->d_name, 0))
			rc = err_errno(e, ERR_IO, "cannot remove %s/%s", path, entry->d_name);
	}
	closedir(dir);
	if (!rc && rmdir(path))
		rc = err_errno(e, ERR_IO, "cannot remove %s", path);
	return rc;
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	/* What cannot be removed makes its directory stay, too. */
	(void)remove(path);
	return 0;
}

void fs_remove_tree(const char *path)
{
	nftw(path, remove_entry, 32, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

bool fs_exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

bool fs_is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool fs_is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

char *fs_join(const char *dir, const char *name)
{
	size_t n = strlen(dir);

	return xasprintf("%s%s%s", dir, n && dir[n - 1] == '/' ? "" : "/", name);
}

char *fs_self_dir(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (n <= 0)
		return xstrdup(".");
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return xstrdup(".");
	return xstrndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

const char *fs_temporary_root(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

char *fs_temporary_pattern(const char *name)
{
	return xasprintf("%s/%s.XXXXXX", fs_temporary_root(), name);
}

int fs_make_temporary_dir(const char *name, char **out, struct err *e)
{
	*out = fs_temporary_pattern(name);
	if (mkdtemp(*out))
		return 0;
	err_errno(e, ERR_IO, "cannot create a temporary directory %s", *out);
	free(*out);
	*out = NULL;
	return ERR_IO;
}

char *fs_find_program(const char *name)
{
	const char *dirs = getenv("PATH");

	if (!*name)
		return NULL;
	if (strchr(name, '/'))
		return is_program(name) ? xstrdup(name) : NULL;
	if (!dirs)
		dirs = "/usr/local/bin:/usr/bin:/bin";
	for (;;) {
		size_t n = strcspn(dirs, ":");
		/* An empty entry means the working directory. */
		char *dir = n ? xstrndup(dirs, n) : xstrdup(".");
		char *path = fs_join(dir, name);

		free(dir);
		if (is_program(path))
			return path;
		free(path);
		if (!dirs[n])
			return NULL;
		dirs += n + 1;
	}
}

uint64_t fs_hash(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

int fs_hash_file(const char *path, uint64_t *hash, struct err *e)
{
	static const size_t block = 1 << 16;
	uint64_t size, h = FS_HASH_START;
	char *buffer;
	ssize_t n;
	int fd, rc;

	rc = open_regular(path, 0, &fd, &size, e);
	if (rc)
		return rc;
	buffer = xmalloc(block);
	while ((n = fs_read_up_to(fd, buffer, block)) > 0)
		h = fs_hash(h, buffer, (size_t)n);
	if (n < 0)
		rc = err_errno(e, ERR_IO, "cannot read %s", path);
	free(buffer);
	close(fd);
	if (!rc)
		*hash = h;
	return rc;
}
