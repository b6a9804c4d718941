/*
 * Memory that is mapped, moved or emptied by the kernel.  New memory is the program's business;
 * where one memory gets two addresses, or changes without a store, no search can know all.
 */
#include "guest/check/hook/system/map.h"

#include <stdarg.h>
#include <sys/shm.h>
#include <sys/uio.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/system/file.h"
#include "guest/os/real.h"

static bool shares; /* some mapping would be shared with a child process */

bool map_shares(void)
{
	return shares;
}

static void *map(void *at, size_t n, int prot, int flags, int fd, off64_t offset)
{
	uint32_t site = sched_take_site();
	void *mapped;

	rt_irreversible("mmap");
	mapped = REAL(mmap64)(at, n, prot, flags, fd, offset);
	if (mapped == MAP_FAILED)
		return mapped;
	if (flags & MAP_FIXED)
		rt_unseen(site, "mmap(MAP_FIXED) puts other memory where some may have been");
	if (!(flags & MAP_ANONYMOUS) && (flags & MAP_TYPE) != MAP_PRIVATE)
		file_mapped(fd, site);
	shares |= (flags & MAP_TYPE) != MAP_PRIVATE;
	return mapped;
}

RT_EXPORT void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	return rt_controlled() ? map(at, n, prot, flags, fd, offset)
			       : REAL(mmap)(at, n, prot, flags, fd, offset);
}

RT_EXPORT void *mmap64(void *at, size_t n, int prot, int flags, int fd, off64_t offset)
{
	return rt_controlled() ? map(at, n, prot, flags, fd, offset)
			       : REAL(mmap64)(at, n, prot, flags, fd, offset);
}

/* Memory goes away, or may not be written any more: who comes to it before or after matters. */
static void changes_rights(const char *call)
{
	rt_irreversible("%s", call);
	if (!sched_alone())
		rt_unseen(sched_take_site(), "%s beside other threads", call);
}

RT_EXPORT int munmap(void *at, size_t n)
{
	if (rt_controlled())
		changes_rights("munmap");
	return REAL(munmap)(at, n);
}

RT_EXPORT int mprotect(void *at, size_t n, int prot)
{
	if (rt_controlled())
		changes_rights("mprotect");
	return REAL(mprotect)(at, n, prot);
}

/* Advice that changes nothing in memory. */
static bool is_only_advice(int advice)
{
	switch (advice) {
	case MADV_NORMAL:
	case MADV_RANDOM:
	case MADV_SEQUENTIAL:
	case MADV_WILLNEED:
	case MADV_HUGEPAGE:
	case MADV_NOHUGEPAGE:
	case MADV_DONTDUMP:
	case MADV_DODUMP:
	case MADV_DONTFORK:
	case MADV_DOFORK:
		return true;
	default:
		return false;
	}
}

RT_EXPORT int madvise(void *at, size_t n, int advice)
{
	if (rt_controlled()) {
		rt_irreversible("madvise");
		if (!is_only_advice(advice))
			rt_unseen(sched_take_site(), "madvise(%d) changes memory without a store",
				  advice);
	}
	return REAL(madvise)(at, n, advice);
}

RT_EXPORT void *mremap(void *at, size_t old, size_t n, int flags, ...)
{
	va_list args;

	va_start(args, flags);
	void *to = va_arg(args, void *);
	va_end(args);
	if (rt_controlled()) {
		rt_irreversible("mremap");
		rt_unseen(sched_take_site(), "mremap moves memory to another address");
	}
	return REAL(mremap)(at, old, n, flags, to);
}

RT_EXPORT void *shmat(int id, const void *at, int flags)
{
	if (rt_controlled()) {
		rt_irreversible("shmat");
		rt_unseen(sched_take_site(), "shmat gives memory that may have other addresses");
	}
	return REAL(shmat)(id, at, flags);
}

/* ---- memory of processes, which may be this one ---- */

RT_EXPORT ssize_t process_vm_writev(pid_t pid, const struct iovec *from, unsigned long from_count,
				    const struct iovec *to, unsigned long to_count,
				    unsigned long flags)
{
	if (rt_controlled()) {
		rt_irreversible("process_vm_writev");
		rt_unseen(sched_take_site(), "process_vm_writev writes memory without a store");
	}
	return REAL(process_vm_writev)(pid, from, from_count, to, to_count, flags);
}

RT_EXPORT ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long to_count,
				   const struct iovec *from, unsigned long from_count,
				   unsigned long flags)
{
	if (rt_controlled()) {
		rt_irreversible("process_vm_readv");
		rt_unseen(sched_take_site(), "process_vm_readv reads memory without a load");
	}
	return REAL(process_vm_readv)(pid, to, to_count, from, from_count, flags);
}
