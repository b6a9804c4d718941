#include "guest/check/engine/engine.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "guest/check/engine/fiber.h"
#include "guest/check/engine/filter.h"
#include "guest/check/engine/finish.h"
#include "guest/check/engine/known.h"
#include "guest/check/engine/reset.h"
#include "guest/check/engine/signal.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/layout.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/os/stat.h"
#include "guest/os/sys.h"
#include "guest/check/rec/rec.h"

#define FIRST_SLOTS 6
#define RUNS_BETWEEN_CLOCK_CHECKS 8
#define STEPS_OF_A_LONG_RUN 2000

static const struct engine_client *client;
static uint64_t engine_sp; /* the loop's context while a run is under way */
static uint32_t kind;	   /* enum wire_engine of this process */
static int once;
static int in_child;	 /* this process carries one run and ends with it */
static uint32_t helpers; /* threads beside the slots when the first run began */
static int died;	 /* the run ended with its process, which did not say how */

bool engine_is_reset(void)
{
	return kind == ENGINE_RESET && !once;
}

bool engine_is_once(void)
{
	return once;
}

uint32_t engine_kernel_threads(void)
{
	/* A fork has one thread; only the engine that needs them makes others in it. */
	if (in_child)
		return kind == ENGINE_THREADS ? engine_slot_count : 1;
	return engine_slot_count + helpers;
}

/* ---- switching ---- */

static void thread_entry_on_slot(void)
{
	client->thread_entry();
}

/* Threads engine: waits for the turn; begins a new program thread when one moved in meanwhile. */
static void wait_for_turn(struct engine_slot *s)
{
	while (__atomic_load_n(&s->go, __ATOMIC_ACQUIRE) == 0)
		sys_futex_wait(&s->go, 0, -1);
	if (s->fresh) {
		s->fresh = 0;
		fiber_take_floats(s->floats);
		fiber_call(s->entry_sp, thread_entry_on_slot);
	}
}

static void hand_over(struct engine_slot *from, struct engine_slot *to)
{
	from->go = 0;
	__atomic_store_n(&to->go, 1, __ATOMIC_RELEASE);
	sys_futex_wake(&to->go, 1);
	wait_for_turn(from);
}

void engine_switch(struct engine_slot *from, struct engine_slot *to)
{
	if (kind == ENGINE_THREADS)
		hand_over(from, to);
	else
		fiber_switch(&from->sp, to->sp, fiber_thread_pointer(to->fs));
}

void engine_switch_last(struct engine_slot *from, struct engine_slot *to)
{
	engine_switch(from, to);
	__builtin_unreachable();
}

void engine_slot_begin(struct engine_slot *slot)
{
	slot_refresh(slot);
	slot->floats = fiber_floats();
	if (kind == ENGINE_THREADS)
		slot->fresh = slot != &engine_slots[0] && slot->go == 0;
	else
		slot->sp = fiber_prepare(slot->entry_sp, thread_entry_on_slot);
}

int engine_slot_find(const uint64_t *busy)
{
	uint32_t at = 0;
	int failed;

	while (at < WIRE_MAX_LIVE && (busy[at / 64] >> at % 64 & 1))
		at++;
	if (at == WIRE_MAX_LIVE)
		return -1;
	if (at < engine_slot_count)
		return (int)at;
	if (kind != ENGINE_THREADS && !once)
		finish_outcome((enum wire_outcome)OUTCOME_MORE_SLOTS, "more threads");
	rt_inside++;
	failed = slot_grow(at + 1);
	rt_inside--;
	return failed ? -1 : (int)at;
}

/* ---- the end of a run ---- */

/* A lone run ends with its process, as the program would have ended. */
static _Noreturn void end_process(void)
{
	struct wire_result *r = &rt_ctl->result;
	int status =
		r->outcome == OUTCOME_CLEAN ? (int)r->exit_status : r->outcome != OUTCOME_ASSUME;

	__atomic_store_n(&rt_ctl->state, STATE_DONE, __ATOMIC_RELEASE);
	sys_futex_wake(&rt_ctl->state, 1);
	if (r->outcome == OUTCOME_FAILURE && sys_traced()) {
		struct sigaction action;

		/* The debugger stops here, in the failing thread, with every stack in place. */
		memset(&action, 0, sizeof(action));
		action.sa_handler = SIG_IGN;
		real_sigaction(SIGTRAP, &action, NULL);
		sys_call(SYS_tgkill, sys_getpid(), sys_gettid(), SIGTRAP, 0, 0, 0);
	}
	sys_exit_group(status);
}

void engine_leave(void)
{
	uint64_t abandoned;

	if (once)
		end_process();
	if (in_child)
		sys_exit_group(0);
	fiber_switch(&abandoned, engine_sp, fiber_thread_pointer(engine_slots[0].fs));
	__builtin_unreachable();
}

/* ---- carrying one run ---- */

static void begin_run(void)
{
	rt_ctl->result.outcome = OUTCOME_NONE;
	rt_ctl->run_pid = (uint32_t)sys_getpid();
	undo_opaque_seen = undo_doubtful = 0;
	rec_run_begin();
	client->run_begin();
	engine_slot_begin(&engine_slots[0]);
}

static void run_on_fibers(void)
{
	begin_run();
	fiber_switch(&engine_sp, engine_slots[0].sp, fiber_thread_pointer(engine_slots[0].fs));
	rt_current = NULL;
}

static _Noreturn void run_on_threads(void)
{
	if (once)
		sys_pin_to_one_cpu();
	slot_run_entry = thread_entry_on_slot;
	begin_run();
	engine_slots[0].go = 1;
	fiber_call(engine_slots[0].entry_sp, thread_entry_on_slot);
}

/* The child died without saying how the run ended. */
static void classify_death(int status)
{
	struct wire_result *r = &rt_ctl->result;

	if (WIFEXITED(status)) {
		r->outcome = OUTCOME_CLEAN;
		r->exit_status = (uint64_t)WEXITSTATUS(status);
		return;
	}
	died = 1;
	r->outcome = OUTCOME_FAILURE;
	memset(&r->failure, 0, sizeof(r->failure));
	r->failure.kind = FAILURE_SIGNAL;
	r->failure.site = r->failure.alloc_site = r->failure.free_site = SITE_NONE;
	r->failure.value = (uint64_t)WTERMSIG(status);
	memcpy(r->failure.text, "the process was killed by a signal", 35);
}

static void run_in_child(void)
{
	int pid = sys_fork();

	if (pid < 0) {
		rt_ctl->result.outcome = OUTCOME_TROUBLE;
		memcpy(rt_ctl->result.reason, "fork failed", 12);
		return;
	}
	if (pid == 0) {
		sys_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
		in_child = 1;
		if (kind == ENGINE_THREADS)
			run_on_threads();
		run_on_fibers();
		sys_exit_group(0);
	}
	int status = sys_wait(pid);

	if (rt_ctl->result.outcome == OUTCOME_NONE)
		classify_death(status);
}

static void carry_run(void)
{
	if (kind == ENGINE_RESET || (once && kind != ENGINE_THREADS)) {
		run_on_fibers();
		if (!once)
			reset_restore();
	} else if (once) {
		run_on_threads();
	} else {
		run_in_child();
	}
}

/* ---- jobs ---- */

/* Runs in processes of their own share offset and flags of what they inherit. */
static void rewind_descriptors(void)
{
	static int64_t input_at = -2, flags[3];

	for (int fd = 0; fd < 3; fd++) {
		if (input_at == -2)
			flags[fd] = sys_call(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
		else if (flags[fd] >= 0)
			sys_call(SYS_fcntl, fd, F_SETFL, flags[fd], 0, 0, 0);
	}
	if (input_at == -2)
		input_at = sys_call(SYS_lseek, 0, 0, 1 /* SEEK_CUR */, 0, 0, 0);
	else if (input_at >= 0)
		sys_call(SYS_lseek, 0, input_at, 0, 0, 0, 0);
	if (rt_ctl->job.flags & JOB_PASS_OUTPUT)
		return;
	for (int fd = 1; fd <= 2; fd++)
		if (sys_call(SYS_ftruncate, fd, 0, 0, 0, 0, 0) == 0)
			sys_call(SYS_lseek, fd, 0, 0, 0, 0, 0);
}

static bool grow_pool(void)
{
	uint32_t want =
		engine_slot_count * 2 > WIRE_MAX_LIVE ? WIRE_MAX_LIVE : engine_slot_count * 2;

	if (reset_grow(want) == 0)
		return true;
	rt_ctl->result.outcome = OUTCOME_TROUBLE;
	memcpy(rt_ctl->result.reason, "no room for another thread", 27);
	return false;
}

static void account(struct wire_result *r)
{
	r->runs++;
	r->total_steps += r->steps;
	if (r->steps > r->max_steps_seen)
		r->max_steps_seen = r->steps;
	r->failures += r->outcome == OUTCOME_FAILURE;
	r->limits += r->outcome == OUTCOME_LIMIT;
	r->assumes += r->outcome == OUTCOME_ASSUME;
}

/* Whether the batch goes on after this failure; enters it in the table when it is a new one. */
static bool is_known(struct wire_result *r)
{
	struct wire_known now, *known = rt_ctl->known;
	uint32_t n = rt_ctl->known_count < WIRE_MAX_KNOWN ? rt_ctl->known_count : WIRE_MAX_KNOWN;

	if (died)
		return false;
	known_describe(&now);
	for (uint32_t i = 0; i < n; i++) {
		if (!known_same(&known[i], &now))
			continue;
		known[i].count++;
		return true;
	}
	if (n < WIRE_MAX_KNOWN) {
		known[n] = now;
		rt_ctl->known_count = r->known_new = n + 1;
	}
	return false;
}

static bool ends_job(const struct wire_job *job, struct wire_result *r)
{
	if (r->outcome != OUTCOME_FAILURE || (job->flags & JOB_KEEP_GOING))
		return false;
	return !(job->flags & JOB_SKIP_KNOWN) || !is_known(r);
}

static bool job_goes_on(const struct wire_job *job, struct wire_result *r)
{
	if (r->exhausted || r->runs == job->runs)
		return false;
	/* A batch goes on whatever its runs end with, as long as their events find room. */
	if (job->strategy == STRATEGY_BATCH)
		return r->event_lost == 0 && r->outcome != OUTCOME_STEPDOWN &&
		       r->outcome != OUTCOME_TROUBLE;
	if (r->outcome != OUTCOME_CLEAN && r->outcome != OUTCOME_LIMIT &&
	    r->outcome != OUTCOME_FAILURE && r->outcome != OUTCOME_ASSUME)
		return false;
	if (job->deadline &&
	    (r->runs % RUNS_BETWEEN_CLOCK_CHECKS == 0 || r->steps > STEPS_OF_A_LONG_RUN) &&
	    sys_monotonic_ns() >= job->deadline)
		return false;
	/* Last, because what is skipped is counted here and what ends the job by the host. */
	return !ends_job(job, r);
}

static void run_job(void)
{
	struct wire_job *job = &rt_ctl->job;
	struct wire_result *r = &rt_ctl->result;
	bool said_something = true;

	memset(r, 0, sizeof(*r));
	r->engine = kind;
	for (uint32_t i = 0; i < WIRE_MAX_KNOWN; i++)
		rt_ctl->known[i].count = 0;
	do {
		died = 0;
		/* A systematic search is one over schedules: chance is the same in all its runs. */
		r->seed = job->seed + (job->strategy == STRATEGY_DFS ? 0 : r->runs);
		do {
			if (said_something)
				rewind_descriptors();
			carry_run();
			said_something = undo_opaque_seen || kind != ENGINE_RESET;
		} while (r->outcome == OUTCOME_MORE_SLOTS && grow_pool());
		client->run_over();
		account(r);
	} while (job_goes_on(job, r));
}

static void wait_for_job(void)
{
	uint32_t *state = &rt_ctl->state;
	uint32_t seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);

	while (seen != STATE_JOB) {
		if (seen == STATE_QUIT)
			sys_exit_group(0);
		sys_futex_wait(state, seen, 1000000000);
		seen = __atomic_load_n(state, __ATOMIC_ACQUIRE);
	}
	__atomic_store_n(state, STATE_RUNNING, __ATOMIC_RELEASE);
}

static void announce(enum wire_state state)
{
	__atomic_store_n(&rt_ctl->state, (uint32_t)state, __ATOMIC_RELEASE);
	sys_futex_wake(&rt_ctl->state, 1);
}

/* Makes the process fit for the engine the first job asks for; NULL or what went wrong. */
static const char *prepare(void)
{
	kind = rt_ctl->job.engine == ENGINE_AUTO ? ENGINE_RESET : rt_ctl->job.engine;
	once = (rt_ctl->job.flags & JOB_ONCE) != 0;
	if (heap_start() < 0)
		return "the address range for the heap is taken";
	/* Parent and child take turns: on one processor that is a cheap switch. */
	if (!once && kind != ENGINE_RESET)
		sys_pin_to_one_cpu();
	reset_warm_up();
	if (kind != ENGINE_THREADS && slot_grow(FIRST_SLOTS) < 0)
		return "threads cannot be made";
	if (engine_is_reset() && reset_start() < 0)
		return "the snapshot cannot be taken";
	helpers = (uint32_t)stat_threads() - engine_slot_count;
	return NULL;
}

static void engine_loop(void)
{
	const char *problem;

	rt_ctl->guest_pid = (uint32_t)sys_getpid();
	/* A lone run has its job from the start and asks nobody. */
	if (rt_ctl->job.flags & JOB_ONCE)
		announce(STATE_JOB);
	else
		announce(STATE_READY);
	wait_for_job();
	problem = prepare();
	for (;;) {
		if (problem) {
			memset(&rt_ctl->result, 0, sizeof(rt_ctl->result));
			rt_ctl->result.outcome = OUTCOME_TROUBLE;
			strncpy(rt_ctl->result.reason, problem, WIRE_NOTE_BYTES - 1);
		} else {
			run_job();
		}
		announce(STATE_DONE);
		if (once)
			sys_exit_group(3);
		wait_for_job();
	}
}

void engine_enter(const struct engine_client *c)
{
	client = c;
	fiber_init();
	slot_init_main((uint64_t)__builtin_frame_address(0));
	sys_map_fixed(LAYOUT_ENGINE_STACK, LAYOUT_ENGINE_STACK_BYTES, PROT_READ | PROT_WRITE);
	sys_map_fixed(LAYOUT_SIGNAL_STACK, LAYOUT_SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE);
	signal_stack(LAYOUT_SIGNAL_STACK);
	signal_install();
	fiber_call(LAYOUT_ENGINE_STACK + LAYOUT_ENGINE_STACK_BYTES, engine_loop);
}
