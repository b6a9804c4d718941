#include "rt_stable/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <time.h>

long os_futex_wait(const volatile uint32_t *word, uint32_t value, int64_t ns)
{
	struct timespec limit = {ns / 1000000000, ns % 1000000000};
	return os_call6(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, value, ns < 0 ? 0 : (long)&limit,
			0, 0);
}

void os_futex_wake(const volatile uint32_t *word, int count)
{
	os_call3(SYS_futex, word, FUTEX_WAKE_PRIVATE, count);
}

int os_gettid(void)
{
	return (int)os_call3(SYS_gettid, 0, 0, 0);
}

int os_getpid(void)
{
	return (int)os_call3(SYS_getpid, 0, 0, 0);
}

uint64_t os_now_ns(void)
{
	struct timespec now = {0, 0};
	/* The vDSO entry behind clock_gettime is not interposed unless virtual time is on, and then
	 * the runtime must still see the real clock; a raw call is exact and rare. */
	os_call3(SYS_clock_gettime, CLOCK_MONOTONIC, &now, 0);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void os_yield(void)
{
	os_call3(SYS_sched_yield, 0, 0, 0);
}

int os_cpu_count(void)
{
	unsigned long mask[128] = {0};
	long bytes = os_call3(SYS_sched_getaffinity, 0, sizeof(mask), mask);
	int count = 0;
	for (long i = 0; i < bytes / (long)sizeof(mask[0]); i++)
		count += __builtin_popcountl(mask[i]);
	return count > 0 ? count : 1;
}

void os_exit(int status)
{
	for (;;)
		os_call3(SYS_exit_group, status, 0, 0);
}

void *os_pages(size_t bytes)
{
	long at = os_call6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at < 0 && at > -4096) {
		static const char text[] = "heddle stable: out of memory\n";
		os_write_all(2, text, sizeof(text) - 1);
		os_exit(3);
	}
	return (void *)at;
}

void os_unmap(void *at, size_t bytes)
{
	os_call3(SYS_munmap, at, bytes, 0);
}

void *os_map_shared(int fd, size_t bytes, uint64_t offset)
{
	long at = os_call6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			   (long)offset);
	return at < 0 && at > -4096 ? NULL : (void *)at;
}

int os_open(const char *path, int flags, int mode)
{
	return (int)os_call6(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, mode, 0, 0);
}

void os_close(int fd)
{
	os_call3(SYS_close, fd, 0, 0);
}

long os_read(int fd, void *to, size_t bytes)
{
	return os_call3(SYS_read, fd, to, bytes);
}

void os_write_all(int fd, const char *text, size_t bytes)
{
	while (bytes > 0) {
		long done = os_call3(SYS_write, fd, text, bytes);
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
	return (int)os_call3(SYS_ftruncate, fd, bytes, 0);
}

struct out {
	char *to;
	size_t used, limit;
};

static void put(struct out *o, char c)
{
	if (o->used + 1 < o->limit)
		o->to[o->used++] = c;
}

static void put_number(struct out *o, uint64_t value, unsigned base)
{
	char digits[24];
	int n = 0;
	do {
		digits[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	while (n > 0)
		put(o, digits[--n]);
}

static void put_signed(struct out *o, int64_t value)
{
	if (value < 0)
		put(o, '-');
	put_number(o, value < 0 ? -(uint64_t)value : (uint64_t)value, 10);
}

static void put_text(struct out *o, const char *text)
{
	for (text = text ? text : "(null)"; *text; text++)
		put(o, *text);
}

size_t os_vformat(char *to, size_t bytes, const char *format, va_list args)
{
	struct out o = {to, 0, bytes};
	for (const char *f = format; *f; f++) {
		if (*f != '%') {
			put(&o, *f);
			continue;
		}
		int is_long = *++f == 'l';
		f += is_long;
		switch (*f) {
		case 's':
			put_text(&o, va_arg(args, const char *));
			break;
		case 'd':
			put_signed(&o, is_long ? va_arg(args, long) : va_arg(args, int));
			break;
		case 'u':
			put_number(&o,
				   is_long ? va_arg(args, unsigned long) : va_arg(args, unsigned),
				   10);
			break;
		case 'x':
			put_number(&o,
				   is_long ? va_arg(args, unsigned long) : va_arg(args, unsigned),
				   16);
			break;
		case 'p':
			put_text(&o, "0x");
			put_number(&o, (uintptr_t)va_arg(args, void *), 16);
			break;
		case 'c':
			put(&o, (char)va_arg(args, int));
			break;
		default:
			put(&o, *f);
			break;
		}
	}
	if (o.limit)
		to[o.used] = 0;
	return o.used;
}

size_t os_format(char *to, size_t bytes, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	size_t n = os_vformat(to, bytes, format, args);
	va_end(args);
	return n;
}
