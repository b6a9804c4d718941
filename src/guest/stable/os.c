#include "guest/stable/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/mman.h>
#include <time.h>

long os_futex_wait(const volatile uint32_t *word, uint32_t value, int64_t ns)
{
	struct timespec limit = {ns / 1000000000, ns % 1000000000};
	return sys_call(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, value, ns < 0 ? 0 : (long)&limit,
			0, 0);
}

void os_futex_wake(const volatile uint32_t *word, int count)
{
	sys_call3(SYS_futex, word, FUTEX_WAKE_PRIVATE, count);
}

void os_yield(void)
{
	sys_call3(SYS_sched_yield, 0, 0, 0);
}

int os_cpu_count(void)
{
	unsigned long mask[128] = {0};
	long bytes = sys_call3(SYS_sched_getaffinity, 0, sizeof(mask), mask);
	int count = 0;
	for (long i = 0; i < bytes / (long)sizeof(mask[0]); i++)
		count += __builtin_popcountl(mask[i]);
	return count > 0 ? count : 1;
}

void *os_pages(size_t bytes)
{
	long at = sys_call(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at < 0 && at > -4096) {
		static const char text[] = "heddle stable: out of memory\n";
		os_write_all(2, text, sizeof(text) - 1);
		sys_exit_group(3);
	}
	return (void *)at;
}

void os_unmap(void *at, size_t bytes)
{
	sys_call3(SYS_munmap, at, bytes, 0);
}

void *os_map_shared(int fd, size_t bytes, uint64_t offset)
{
	long at = sys_call(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			   (long)offset);
	return at < 0 && at > -4096 ? NULL : (void *)at;
}

int os_open(const char *path, int flags, int mode)
{
	return (int)sys_call(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, mode, 0, 0);
}

void os_write_all(int fd, const char *text, size_t bytes)
{
	while (bytes > 0) {
		long done = sys_call3(SYS_write, fd, text, bytes);
		if (done == -EINTR)
			continue;
		if (done <= 0)
			return;
		text += done;
		bytes -= (size_t)done;
	}
}

int os_truncate(int fd, uint64_t bytes)
{
	return (int)sys_call3(SYS_ftruncate, fd, bytes, 0);
}

/* File systems that cannot reserve space get zeros written. */
static int write_zeros(int fd, uint64_t at, uint64_t bytes)
{
	static const char zeros[65536];
	for (uint64_t done = 0; done < bytes;) {
		uint64_t n = bytes - done < sizeof(zeros) ? bytes - done : sizeof(zeros);
		long wrote = sys_call(SYS_pwrite64, fd, (long)zeros, (long)n, (long)(at + done), 0,
				      0);
		if (wrote == -EINTR)
			continue;
		if (wrote <= 0)
			return wrote < 0 ? (int)wrote : -ENOSPC;
		done += (uint64_t)wrote;
	}
	return 0;
}

int os_allocate(int fd, uint64_t at, uint64_t bytes)
{
	struct rlimit limit;
	long rc = sys_call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)&limit, 0, 0);
	/* Going beyond it is a signal for the program, not an error. */
	if (rc == 0 && limit.rlim_cur != RLIM_INFINITY && at + bytes > limit.rlim_cur)
		return -EFBIG;
	do {
		rc = sys_call(SYS_fallocate, fd, 0, (long)at, (long)bytes, 0, 0);
	} while (rc == -EINTR);
	return rc == -EOPNOTSUPP || rc == -ENOSYS ? write_zeros(fd, at, bytes) : (int)rc;
}
