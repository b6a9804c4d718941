#include "guest/stable/probe.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "guest/stable/os.h"
#include "guest/stable/real.h"

#define STEPS 256
#define TRAP_FLAG 0x100
#define REGISTERS 17 /* of greg_t: all general ones and the place */

/* Of the thread under the probe. */
static __thread struct {
	bool on;
	int left;
	int rounds;
	greg_t anchor[REGISTERS];
	uint64_t trace, first; /* of this round and of the one before */
	void (*spins)(void);
} probe __attribute__((tls_model("initial-exec")));

static uint32_t lock;		/* of the two below */
static int users;		/* threads under probes: the handler is ours meanwhile */
static struct sigaction former; /* the program's */

bool probe_in_futex(const ucontext_t *interrupted)
{
	static const unsigned char call[2] = {0x0f, 0x05};
	const greg_t *g = interrupted->uc_mcontext.gregs;
	int op = (int)g[REG_RSI] & FUTEX_CMD_MASK;
	/* The call is to be made again: the place is before it, the number where it was. */
	return memcmp((const void *)g[REG_RIP], call, sizeof(call)) == 0 &&
	       g[REG_RAX] == SYS_futex && (op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET);
}

/*
 * Behind the prefixes.  NULL for those that only a vector or a segment has, and for repetitions
 * other than pause.
 */
static const unsigned char *skip_prefixes(const unsigned char *code)
{
	if (code[0] == 0xf3)
		return code[1] == 0x90 ? code + 1 : NULL;
	while (code[0] == 0x66 || code[0] == 0xf0 || code[0] == 0x2e)
		code++;
	return (code[0] & 0xf0) == 0x40 ? code + 1 : code;
}

static bool in_register(unsigned char modrm)
{
	return (modrm & 0xc0) == 0xc0;
}

/* The two rows of arithmetic: to memory only compared, to registers anything. */
static bool allows_arithmetic(const unsigned char *code)
{
	int form = code[0] & 7;
	if (form >= 6)
		return false;
	return form >= 2 || in_register(code[1]) || code[0] >= 0x38;
}

static bool allows_0f(const unsigned char *code)
{
	int op = code[0], reg = (code[1] >> 3) & 7;
	if ((op >= 0x80 && op <= 0x9f) || (op >= 0x40 && op <= 0x4f))
		return op < 0x90 || op > 0x9f || in_register(code[1]);
	switch (op) {
	case 0x1e: /* hints */
	case 0x1f:
	case 0xaf: /* imul */
	case 0xb0: /* cmpxchg */
	case 0xb1:
	case 0xb6: /* movzx, movsx */
	case 0xb7:
	case 0xbe:
	case 0xbf:
	case 0xa3: /* bt */
		return true;
	case 0xba:
		return in_register(code[1]) || reg == 4;
	case 0xae: /* fences */
		return in_register(code[1]) && reg >= 5;
	default:
		return false;
	}
}

/* Operations with an immediate or a single operand: those that change memory do not repeat. */
static bool allows_group(const unsigned char *code)
{
	int reg = (code[1] >> 3) & 7;
	if (in_register(code[1]))
		return code[0] < 0xf6 || code[0] == 0xff || reg < 4;
	switch (code[0]) {
	case 0x80:
	case 0x81:
	case 0x83:
		return reg == 7;
	case 0xf6:
	case 0xf7:
		return reg == 0;
	case 0xff:
		return reg == 2 || reg == 4 || reg == 6;
	default:
		return false;
	}
}

bool probe_allows(const unsigned char *code)
{
	code = skip_prefixes(code);
	if (!code)
		return false;
	int op = code[0];
	if (op == 0x0f)
		return allows_0f(code + 1);
	if (op < 0x40)
		return allows_arithmetic(code);
	/* push, pop, jumps, moves, exchanges, calls: what they store they store again. */
	if ((op >= 0x50 && op <= 0x5f) || (op >= 0x70 && op <= 0x7f) ||
	    (op >= 0x84 && op <= 0x8b) || (op >= 0x90 && op <= 0x99) || (op >= 0xb0 && op <= 0xbf))
		return true;
	switch (op) {
	case 0x63: /* movsxd */
	case 0x69:
	case 0x6b:
	case 0x8d:
	case 0xa8:
	case 0xa9:
	case 0xc3:
	case 0xc6:
	case 0xc7:
	case 0xc9:
	case 0xe8:
	case 0xe9:
	case 0xeb:
		return true;
	case 0x80:
	case 0x81:
	case 0x83:
	case 0xc0:
	case 0xc1:
	case 0xd0:
	case 0xd1:
	case 0xd2:
	case 0xd3:
	case 0xf6:
	case 0xf7:
	case 0xff:
		return allows_group(code);
	default:
		return false;
	}
}

/* The sixteen general registers and the place; the flags are part of the trace. */
static void take_registers(const ucontext_t *c, greg_t to[REGISTERS])
{
	memcpy(to, c->uc_mcontext.gregs, REGISTERS * sizeof(greg_t));
}

static void begin_round(const ucontext_t *c)
{
	take_registers(c, probe.anchor);
	probe.trace = probe.first = 0;
	probe.rounds = 0;
}

static void trace(const ucontext_t *c)
{
	greg_t now[REGISTERS];
	take_registers(c, now);
	for (int i = 0; i < REGISTERS; i++)
		probe.trace = (probe.trace ^ (uint64_t)now[i]) * UINT64_C(0x100000001b3);
	probe.trace ^= (uint64_t)c->uc_mcontext.gregs[REG_EFL] & 0xcd5;
}

/* Back at the place where the round began: true after two that were the same in every step. */
static bool end_round(const ucontext_t *c)
{
	greg_t now[REGISTERS];
	take_registers(c, now);
	if (memcmp(now, probe.anchor, sizeof(now)) != 0) {
		begin_round(c);
		return false;
	}
	bool same = probe.rounds > 0 && probe.trace == probe.first;
	probe.first = probe.trace;
	probe.trace = 0;
	probe.rounds++;
	return same;
}

static void count_users(int change);

static void finish(ucontext_t *c)
{
	c->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	probe.on = false;
	count_users(-1);
}

/* Somebody else's: as if we were not there. */
static void forward(int number, siginfo_t *info, void *context)
{
	if (former.sa_flags & SA_SIGINFO) {
		former.sa_sigaction(number, info, context);
	} else if (former.sa_handler == SIG_DFL) {
		real.sigaction(SIGTRAP, &former, NULL);
		sys_call3(SYS_tgkill, sys_getpid(), sys_gettid(), SIGTRAP);
	} else if (former.sa_handler != SIG_IGN) {
		former.sa_handler(number);
	}
}

static void step(int number, siginfo_t *info, void *context)
{
	ucontext_t *c = context;
	if (!probe.on || info->si_code <= 0) {
		forward(number, info, context);
		return;
	}
	const greg_t *g = c->uc_mcontext.gregs;
	if (g[REG_RIP] == probe.anchor[REG_RIP] && end_round(c)) {
		finish(c);
		probe.spins();
		return;
	}
	/* A loop further out: the place where the probe began need not be part of it. */
	if (probe.left == STEPS / 2 && probe.rounds == 0)
		begin_round(c);
	if (probe.left-- == 0 || !probe_allows((const unsigned char *)g[REG_RIP])) {
		finish(c);
		return;
	}
	trace(c);
}

static void count_users(int change)
{
	struct sigaction action;
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		os_yield();
	int before = users;
	users += change;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = step;
	action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	if (before == 0)
		real.sigaction(SIGTRAP, &action, &former);
	else if (users == 0)
		real.sigaction(SIGTRAP, &former, NULL);
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

void probe_begin(ucontext_t *c, void (*spins)(void))
{
	const greg_t *g = c->uc_mcontext.gregs;
	/* A trap that is blocked would end the process; a debugger would take it for its own. */
	if (probe.on || sigismember(&c->uc_sigmask, SIGTRAP) != 0 || (g[REG_EFL] & TRAP_FLAG) ||
	    !probe_allows((const unsigned char *)g[REG_RIP]))
		return;
	probe.on = true;
	probe.left = STEPS;
	probe.spins = spins;
	begin_round(c);
	trace(c);
	count_users(1);
	c->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}
