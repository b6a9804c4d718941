#include "analyze/outside.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "instr/calls.h"

static const struct use_row {
	const char *name;
	enum outside_use use;
} uses[] = {
	{"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", OUTSIDE_WAIT},
	{"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
	 OUTSIDE_CREATE},
	{"_ZNSt6thread4joinEv", OUTSIDE_JOIN},
	{"_ZdaPv", OUTSIDE_FREE},
	{"_ZdaPvRKSt9nothrow_t", OUTSIDE_FREE},
	{"_ZdaPvSt11align_val_t", OUTSIDE_FREE},
	{"_ZdaPvm", OUTSIDE_FREE},
	{"_ZdaPvmSt11align_val_t", OUTSIDE_FREE},
	{"_ZdlPv", OUTSIDE_FREE},
	{"_ZdlPvRKSt9nothrow_t", OUTSIDE_FREE},
	{"_ZdlPvSt11align_val_t", OUTSIDE_FREE},
	{"_ZdlPvm", OUTSIDE_FREE},
	{"_ZdlPvmSt11align_val_t", OUTSIDE_FREE},
	{"_Znam", OUTSIDE_ALLOCATE},
	{"_ZnamRKSt9nothrow_t", OUTSIDE_ALLOCATE},
	{"_ZnamSt11align_val_t", OUTSIDE_ALLOCATE},
	{"_ZnamSt11align_val_tRKSt9nothrow_t", OUTSIDE_ALLOCATE},
	{"_Znwm", OUTSIDE_ALLOCATE},
	{"_ZnwmRKSt9nothrow_t", OUTSIDE_ALLOCATE},
	{"_ZnwmSt11align_val_t", OUTSIDE_ALLOCATE},
	{"_ZnwmSt11align_val_tRKSt9nothrow_t", OUTSIDE_ALLOCATE},
	{"__cxa_allocate_exception", OUTSIDE_ALLOCATE},
	{"__cxa_guard_acquire", OUTSIDE_GUARD},
	{"__cxa_guard_release", OUTSIDE_GUARD_DONE},
	{"aligned_alloc", OUTSIDE_ALLOCATE},
	{"call_once", OUTSIDE_ONCE},
	{"calloc", OUTSIDE_ALLOCATE},
	{"cnd_timedwait", OUTSIDE_WAIT},
	{"cnd_wait", OUTSIDE_WAIT},
	{"exit", OUTSIDE_EXIT},
	{"flockfile", OUTSIDE_LOCK},
	{"free", OUTSIDE_FREE},
	{"ftrylockfile", OUTSIDE_TRY},
	{"funlockfile", OUTSIDE_UNLOCK},
	{"malloc", OUTSIDE_ALLOCATE},
	{"memalign", OUTSIDE_ALLOCATE},
	{"mmap", OUTSIDE_ALLOCATE},
	{"mmap64", OUTSIDE_ALLOCATE},
	{"mtx_lock", OUTSIDE_LOCK},
	{"mtx_timedlock", OUTSIDE_TRY},
	{"mtx_trylock", OUTSIDE_TRY},
	{"mtx_unlock", OUTSIDE_UNLOCK},
	{"pthread_barrier_wait", OUTSIDE_BARRIER},
	{"pthread_clockjoin_np", OUTSIDE_TRY_JOIN},
	{"pthread_cond_clockwait", OUTSIDE_WAIT},
	{"pthread_cond_timedwait", OUTSIDE_WAIT},
	{"pthread_cond_wait", OUTSIDE_WAIT},
	{"pthread_create", OUTSIDE_CREATE},
	{"pthread_exit", OUTSIDE_THREAD_EXIT},
	{"pthread_join", OUTSIDE_JOIN},
	{"pthread_mutex_clocklock", OUTSIDE_TRY},
	{"pthread_mutex_lock", OUTSIDE_LOCK},
	{"pthread_mutex_timedlock", OUTSIDE_TRY},
	{"pthread_mutex_trylock", OUTSIDE_TRY},
	{"pthread_mutex_unlock", OUTSIDE_UNLOCK},
	{"pthread_once", OUTSIDE_ONCE},
	{"pthread_rwlock_clockrdlock", OUTSIDE_TRY_SHARED},
	{"pthread_rwlock_clockwrlock", OUTSIDE_TRY},
	{"pthread_rwlock_rdlock", OUTSIDE_LOCK_SHARED},
	{"pthread_rwlock_timedrdlock", OUTSIDE_TRY_SHARED},
	{"pthread_rwlock_timedwrlock", OUTSIDE_TRY},
	{"pthread_rwlock_tryrdlock", OUTSIDE_TRY_SHARED},
	{"pthread_rwlock_trywrlock", OUTSIDE_TRY},
	{"pthread_rwlock_unlock", OUTSIDE_UNLOCK},
	{"pthread_rwlock_wrlock", OUTSIDE_LOCK},
	{"pthread_spin_lock", OUTSIDE_LOCK},
	{"pthread_spin_trylock", OUTSIDE_TRY},
	{"pthread_spin_unlock", OUTSIDE_UNLOCK},
	{"pthread_timedjoin_np", OUTSIDE_TRY_JOIN},
	{"pthread_tryjoin_np", OUTSIDE_TRY_JOIN},
	{"pvalloc", OUTSIDE_ALLOCATE},
	{"quick_exit", OUTSIDE_EXIT},
	{"realloc", OUTSIDE_ALLOCATE},
	{"reallocarray", OUTSIDE_ALLOCATE},
	{"strdup", OUTSIDE_ALLOCATE},
	{"strndup", OUTSIDE_ALLOCATE},
	{"thrd_create", OUTSIDE_CREATE},
	{"thrd_exit", OUTSIDE_THREAD_EXIT},
	{"thrd_join", OUTSIDE_JOIN},
	{"valloc", OUTSIDE_ALLOCATE},
};

/* Functions the guest has a model of, which tells it what they touch. */
static const struct effects_row {
	const char *name, *effects;
} modelled[] = {
	{"__strtok_r", "r0 w0 r1 r2:8 w2:8 r*2 w*2"},
	{"clock_gettime", "w1:16"},
	{"drand48", "h:rand48"},
	{"epoll_ctl", "r3:12"},
	{"epoll_pwait", "w1"},
	{"epoll_wait", "w1"},
	{"eventfd_read", "w1:8"},
	{"free", "w0"},
	{"getentropy", "w0:a1"},
	{"getrandom", "w0:a1"},
	{"gettimeofday", "w0:16"},
	{"lrand48", "h:rand48"},
	{"mrand48", "h:rand48"},
	{"pipe", "w0:8"},
	{"pipe2", "w0:8"},
	{"pread", "w1:a2"},
	{"preadv", "r1"},
	{"pthread_join", "w1:8"},
	{"pthread_tryjoin_np", "w1:8"},
	{"pwrite", "r1:a2"},
	{"pwritev", "r1"},
	{"qsort", "r0 w0"},
	{"qsort_r", "r0 w0"},
	{"rand_r", "r0:4 w0:4"},
	{"read", "w1:a2"},
	{"readv", "r1 w*1"},
	{"realloc", "r0 w0"},
	{"recv", "w1:a2"},
	{"recvfrom", "w1:a2 w4 w5:4 r5:4"},
	{"recvmsg", "r1 w1"},
	{"select", "r1 w1 r2 w2 r3 w3 r4 w4"},
	{"send", "r1:a2"},
	{"sendmsg", "r1"},
	{"sendto", "r1:a2 r4"},
	{"socketpair", "w3:8"},
	{"srand48", "H:rand48"},
	{"strsep", "r0:8 w0:8 r*0 w*0 r1"},
	{"strtok", "h:strtok r0 w0 r1"},
	{"strtok_r", "r0 w0 r1 r2:8 w2:8 r*2 w*2"},
	{"thrd_join", "w1:4"},
	{"wait", "w0:4"},
	{"waitpid", "w1:4"},
	{"write", "r1:a2"},
	{"writev", "r1"},
};

static int by_name(const void *key, const void *row)
{
	return strcmp(key, *(const char *const *)row);
}

enum outside_use outside_use(const char *name)
{
	const struct use_row *r =
		bsearch(name, uses, sizeof(uses) / sizeof(uses[0]), sizeof(uses[0]), by_name);

	if (r)
		return r->use;
	if (!strncmp(name, "pthread_", 8) || !strncmp(name, "sem_", 4) ||
	    !strncmp(name, "mtx_", 4) || !strncmp(name, "cnd_", 4) ||
	    !strncmp(name, "_ZNSt18condition_variable", 25))
		return calls_find(name) != CALLS_OPAQUE ? OUTSIDE_QUIET : OUTSIDE_OTHER;
	return OUTSIDE_OTHER;
}

const char *outside_effects(const char *name)
{
	const struct effects_row *r =
		bsearch(name, modelled, sizeof(modelled) / sizeof(modelled[0]), sizeof(modelled[0]),
			by_name);
	const char *effects = calls_effects(name);

	if (r)
		return r->effects;
	if (effects)
		return effects;
	return calls_find(name) != CALLS_OPAQUE ? "" : NULL;
}

bool outside_is_opaque(const char *name)
{
	return strncmp(name, "llvm.", 5) != 0 && !outside_effects(name);
}

/* ---- accesses ---- */

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A length that is a number, or an argument that is one; 0: not known. */
static uint64_t length(LLVMValueRef call, const char *text)
{
	char *rest;
	uint64_t n;

	if (isdigit((unsigned char)*text)) {
		n = strtoull(text, &rest, 10);
		return *rest == ' ' || !*rest ? n : 0;
	}
	if (*text == 'a' && digit(text[1]) >= 0 && (text[2] == ' ' || !text[2])) {
		unsigned i = (unsigned)digit(text[1]);
		LLVMValueRef v =
			i < LLVMGetNumArgOperands(call) ? LLVMGetArgOperand(call, i) : NULL;

		return v && LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : 0;
	}
	return 0;
}

/* One word; true when it is an access to what an argument points to. */
static bool parse(LLVMValueRef call, const char *word, struct outside_access *out)
{
	const char *at = word + 1;
	int argument;

	memset(out, 0, sizeof(*out));
	if (*word != 'r' && *word != 'w' && *word != 'u' && *word != 't' && *word != 'T')
		return false;
	out->write = *word == 'w' || *word == 'u' || *word == 'T';
	if (*at == '+')
		at++;
	if (*at == '*') {
		out->deep = true;
		at++;
	}
	argument = digit(*at);
	if (argument < 0 || (unsigned)argument >= LLVMGetNumArgOperands(call))
		return false;
	out->argument = (unsigned)argument;
	at++;
	if (word[1] != '+' && *at == ':')
		out->bytes = length(call, at + 1);
	return true;
}

/* A format: what its arguments point to is read, or written when it scans. */
static bool formatted(LLVMValueRef call, const char *word, unsigned at, struct outside_access *out)
{
	unsigned first = (unsigned)digit(word[1]);

	memset(out, 0, sizeof(*out));
	for (unsigned i = first + at; i < LLVMGetNumArgOperands(call); i++) {
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) != LLVMPointerTypeKind)
			continue;
		out->argument = i;
		out->write = i > first && (*word == 'c' || *word == 'C');
		return true;
	}
	return false;
}

bool outside_next(LLVMValueRef call, const char *effects, unsigned *next,
		  struct outside_access *out)
{
	/* High half: characters of effects that are done; low half: arguments of a format. */
	unsigned done = *next >> 8, arguments = *next & 255;
	const char *w = effects + done;

	while (*w) {
		if (strchr("pPcC", *w) && digit(w[1]) >= 0 && formatted(call, w, arguments, out)) {
			arguments = out->argument + 1 - (unsigned)digit(w[1]);
			*next = (unsigned)(w - effects) << 8 | arguments;
			return true;
		}
		arguments = 0;
		if (parse(call, w, out)) {
			w += strcspn(w, " ");
			w += strspn(w, " ");
			*next = (unsigned)(w - effects) << 8;
			return true;
		}
		w += strcspn(w, " ");
		w += strspn(w, " ");
	}
	return false;
}

/* ---- memory of the library ---- */

/*
 * Of the states in effects only those that the library does not lock by itself.  The first ones are
 * also handed out.
 */
const char *const outside_states[OUTSIDE_STATES] = {"environ", "tm",	  "asctime", "cvt",
						    "l64a",    "strtok",  "rand48",  "mbstate",
						    "hsearch", "signgam", "stdin",   "stdout"};

static bool is_unlocked(const char *name)
{
	size_t n = strlen(name);

	return n > 9 && !strcmp(name + n - 9, "_unlocked");
}

/* The state a word of effects is about, OUTSIDE_STATES when it is about none. */
static unsigned state_of(const char *name, const char *word, size_t n)
{
	if (n > 3 && !strncmp(word, "wG:", 3))
		return OUTSIDE_SIGNGAM;
	if (n <= 2 || word[1] != ':' || !strchr("hHg", *word))
		return OUTSIDE_STATES;
	for (unsigned i = 0; i < OUTSIDE_STATES; i++)
		if (strlen(outside_states[i]) == n - 2 &&
		    !memcmp(outside_states[i], word + 2, n - 2))
			return i < OUTSIDE_STREAMS || is_unlocked(name) ? i : OUTSIDE_STATES;
	return OUTSIDE_STATES;
}

bool outside_state(const char *name, const char *effects, unsigned *next, unsigned *state,
		   bool *write)
{
	const char *w = effects + *next;

	while (*w) {
		size_t n = strcspn(w, " ");

		*write = *w != 'g';
		*next = (unsigned)(w - effects + n) + (w[n] == ' ');
		*state = state_of(name, w, n);
		if (*state != OUTSIDE_STATES)
			return true;
		w = effects + *next;
	}
	return false;
}

bool outside_stream(const char *name, const char *effects, unsigned *argument, bool *write)
{
	const char *w = effects;

	for (; is_unlocked(name) && *w; w += strcspn(w, " "), w += strspn(w, " "))
		if (strchr("hHg", *w) && digit(w[1]) >= 0 && (w[2] == ' ' || !w[2])) {
			*argument = (unsigned)digit(w[1]);
			*write = *w != 'g';
			return true;
		}
	return false;
}
