#include "guest/stable/world/state.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "guest/stable/conf.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/mutex.h"
#include "guest/stable/hook/outside.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/real.h"
#include "guest/stable/sched/local.h"

/*
 * Pieces by name.  Places are found without a lock: a name is written once and stays until its
 * piece is gone, and then a mark stays, so that others behind it are still found.  Only writing
 * names is serialised.
 */
#define PLACES 2048
#define LONGEST 64 /* way from a name's own place */
#define NO_NAME 0
#define OLD_NAME 1

struct piece {
	uintptr_t name;
	uint32_t again; /* times its holder has locked it beyond the first */
	pthread_mutex_t lock;
};

static struct piece pieces[PLACES];
static uint32_t naming;

static uintptr_t name_of(enum state_kind kind, uintptr_t which)
{
	return ((uintptr_t)kind << 56) ^ which;
}

static struct piece *place(uintptr_t name, size_t step)
{
	return &pieces[((name * UINT64_C(0x9e3779b97f4a7c15) >> 32) + step) % PLACES];
}

static struct piece *find(uintptr_t name)
{
	for (size_t i = 0; i < LONGEST; i++) {
		struct piece *p = place(name, i);
		uintptr_t at = __atomic_load_n(&p->name, __ATOMIC_ACQUIRE);
		if (at == name)
			return p;
		if (at == NO_NAME)
			return NULL;
	}
	return NULL;
}

static struct piece *first_free(uintptr_t name)
{
	for (size_t i = 0; i < LONGEST; i++) {
		struct piece *p = place(name, i);
		if (p->name == NO_NAME || (p->name == OLD_NAME && p->lock.__data.__lock == 0))
			return p;
	}
	return NULL;
}

static void start_anew(struct piece *p)
{
	p->again = 0;
	memset(&p->lock, 0, sizeof(p->lock));
	local_of(&p->lock)->eager = 1;
}

static struct piece *make(uintptr_t name)
{
	while (__atomic_exchange_n(&naming, 1, __ATOMIC_ACQUIRE))
		os_yield();
	struct piece *p = find(name);
	if (!p && (p = first_free(name)) != NULL) {
		start_anew(p);
		__atomic_store_n(&p->name, name, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&naming, 0, __ATOMIC_RELEASE);
	return p;
}

/*
 * The caller, when it is in the schedule.  While the first thread never made another there is
 * nothing to be ordered; whether others are still there is not asked, because that is known with
 * the turn only.  Another thread may be here before its maker has counted it.
 */
static struct sched_thread *scheduled(void)
{
	struct sched_thread *t = sched_self;
	if (!t || t->bypass || t->pcs.depth || !conf.state || conf.replay[0])
		return NULL;
	return t->tid != 0 || sched.peak > 1 ? t : NULL;
}

static struct piece *piece_of(uintptr_t name, uintptr_t caller)
{
	struct piece *p = find(name);
	if (!p && !(p = make(name)))
		msg_loose(STABLE_LOOSE_STATE, caller);
	return p;
}

static bool is_mine(const struct piece *p, const struct sched_thread *t)
{
	return __atomic_load_n(&p->lock.__data.__owner, __ATOMIC_RELAXED) == t->os_tid;
}

pthread_mutex_t *state_enter(enum state_kind kind, uintptr_t which, uintptr_t caller)
{
	struct sched_thread *t = scheduled();
	struct piece *p = t ? piece_of(name_of(kind, which), caller) : NULL;
	int saved = errno;
	if (!p || is_mine(p, t))
		return NULL;
	bool taken = mutex_lock_as(&p->lock, caller, STABLE_OP_STATE_ENTER) == 0;
	errno = saved;
	return taken ? &p->lock : NULL;
}

void state_leave(pthread_mutex_t **held)
{
	int saved = errno;
	if (*held)
		mutex_unlock_as(*held, sched_self ? sched_self->pc[0] : 0, STABLE_OP_STATE_LEAVE);
	errno = saved;
}

void state_lock_stream(FILE *stream, uintptr_t caller)
{
	struct sched_thread *t = scheduled();
	struct piece *p = t ? piece_of(name_of(STATE_STREAM, (uintptr_t)stream), caller) : NULL;
	if (p && is_mine(p, t))
		p->again++;
	else if (p)
		mutex_lock_as(&p->lock, caller, STABLE_OP_STATE_ENTER);
}

void state_unlock_stream(FILE *stream, uintptr_t caller)
{
	struct sched_thread *t = scheduled();
	struct piece *p = t ? find(name_of(STATE_STREAM, (uintptr_t)stream)) : NULL;
	if (!p || !is_mine(p, t))
		return;
	if (p->again)
		p->again--;
	else
		mutex_unlock_as(&p->lock, caller, STABLE_OP_STATE_LEAVE);
}

/* ---- descriptors ---- */

#define KNOWN 4096
enum sort { SORT_UNKNOWN, SORT_FILE, SORT_STREAM, SORT_NONE };
static unsigned char sorts[KNOWN];
static uint16_t origin[KNOWN]; /* 1 + the descriptor it is a copy of */

static enum sort ask_sort(int fd)
{
	struct stat st;
	if (sys_call3(SYS_fstat, fd, &st, 0) != 0)
		return SORT_NONE;
	if (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode))
		return SORT_FILE;
	bool in_turn = S_ISFIFO(st.st_mode) || (S_ISCHR(st.st_mode) && !outside_is_memory(&st));
	return in_turn ? SORT_STREAM : SORT_NONE;
}

pthread_mutex_t *state_enter_fd(int fd, bool writes, uintptr_t caller)
{
	if (fd < 0 || fd >= KNOWN || !scheduled())
		return NULL;
	if (sorts[fd] == SORT_UNKNOWN)
		sorts[fd] = (unsigned char)ask_sort(fd);
	uintptr_t which = origin[fd] ? origin[fd] - 1u : (uintptr_t)fd;
	if (sorts[fd] == SORT_FILE)
		return state_enter(STATE_FILE, which, caller);
	if (sorts[fd] != SORT_STREAM || outside_never_blocks(fd))
		return NULL;
	return state_enter(writes ? STATE_WRITE : STATE_READ, which, caller);
}

void state_copy_fd(int fd, int copy)
{
	if (fd >= 0 && fd < KNOWN && copy >= 0 && copy < KNOWN && fd != copy)
		origin[copy] = origin[fd] ? origin[fd] : (uint16_t)(fd + 1);
}

void state_forget(enum state_kind kind, uintptr_t which)
{
	struct piece *p = find(name_of(kind, which));
	if (p)
		__atomic_store_n(&p->name, OLD_NAME, __ATOMIC_RELEASE);
}

void state_forget_fd(int fd)
{
	if (fd < 0 || fd >= KNOWN)
		return;
	sorts[fd] = SORT_UNKNOWN;
	origin[fd] = 0;
	for (enum state_kind kind = STATE_FILE; kind <= STATE_WRITE; kind++)
		state_forget(kind, (uintptr_t)fd);
}

void state_fork_child(void)
{
	naming = 0;
	for (size_t i = 0; i < PLACES; i++) {
		start_anew(&pieces[i]);
	}
}
