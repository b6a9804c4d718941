#include "support_fake.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wire/site.h"

/* What makes the file look instrumented. */
__attribute__((section("heddle_strs"), used)) static const char fake_text[] = "fake.c";
__attribute__((section("heddle_sites"), used)) static const struct heddle_site fake_site;

static struct wire_ctl *ctl;

static void set_state(uint32_t state)
{
	__atomic_store_n(&ctl->state, state, __ATOMIC_RELEASE);
	syscall(SYS_futex, &ctl->state, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

static void wait_job(void)
{
	for (;;) {
		uint32_t state = __atomic_load_n(&ctl->state, __ATOMIC_ACQUIRE);

		if (state == STATE_JOB)
			return;
		if (state == STATE_QUIT)
			_exit(0);
		syscall(SYS_futex, &ctl->state, FUTEX_WAIT, state, NULL, NULL, 0);
	}
}

static uint64_t mix(uint64_t *x)
{
	uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

struct sim {
	unsigned at[2]; /* operations done */
	bool broken;	/* T1 did its operation 3 in the window */
	size_t follow;	/* position in the schedule */
	uint32_t left;	/* of the repeated choice */
	uint64_t random;
};

static struct wire_choice *area(struct wire_area a)
{
	return (struct wire_choice *)((char *)ctl + a.offset);
}

static bool can_run(const struct sim *s, unsigned tid)
{
	return tid < 2 && s->at[tid] < FAKE_OPS;
}

static unsigned follow_schedule(struct sim *s)
{
	const struct wire_choice *f = area(ctl->follow);

	while (s->follow < ctl->job.schedule_count) {
		if (s->left == 0)
			s->left = f[s->follow].arg;
		if (s->left > 0 && can_run(s, f[s->follow].tid)) {
			unsigned tid = f[s->follow].tid;

			s->follow += --s->left == 0;
			return tid;
		}
		s->left = 0;
		s->follow++;
	}
	return can_run(s, 0) ? 0 : 1;
}

static unsigned choose(struct sim *s)
{
	if (ctl->job.strategy == STRATEGY_REPLAY)
		return follow_schedule(s);
	if (!can_run(s, 0) || !can_run(s, 1))
		return can_run(s, 0) ? 0 : 1;
	return (unsigned)(mix(&s->random) & 1);
}

static void log_step(unsigned tid, unsigned op)
{
	struct wire_choice *made = area(ctl->choices);
	struct wire_event *events = (struct wire_event *)((char *)ctl + ctl->events.offset);
	uint64_t n = ctl->result.choice_count;

	if (n > 0 && made[n - 1].tid == tid) {
		made[n - 1].arg++;
	} else {
		made[n] = (struct wire_choice){CHOICE_RUN, 0, (uint16_t)tid, 1};
		ctl->result.choice_count++;
	}
	if (ctl->job.flags & JOB_EVENTS)
		events[ctl->result.event_count++] = (struct wire_event){.addr = 0x1000,
									.value = op,
									.tid = (uint16_t)tid,
									.kind = EVENT_WRITE,
									.size = 4,
									.tix = op,
									.site = SITE_NONE};
	ctl->heartbeat++;
	ctl->result.steps++;
	ctl->result.total_steps++;
}

static void sim_run(uint64_t seed)
{
	struct sim s = {.random = seed};

	ctl->result.choice_count = ctl->result.event_count = ctl->result.steps = 0;
	while (can_run(&s, 0) || can_run(&s, 1)) {
		unsigned tid = choose(&s);

		s.broken |= tid == 1 && s.at[1] == 3 && s.at[0] >= 3 && s.at[0] < 5;
		log_step(tid, s.at[tid]);
		s.at[tid]++;
		if (s.broken && tid == 0 && s.at[0] == 5)
			break;
	}
	ctl->result.threads = 2;
	ctl->result.outcome = s.broken ? OUTCOME_FAILURE : OUTCOME_CLEAN;
	if (s.broken) {
		ctl->result.failure.kind = FAILURE_ASSERT;
		ctl->result.failure.site = 0;
		strcpy(ctl->result.failure.text, "sum == 2");
	}
}

static void count_run(void)
{
	ctl->result.seed = ctl->job.seed + ctl->result.runs;
	ctl->result.runs++;
}

static void job_sim(void)
{
	uint64_t i;

	for (i = 0; i < ctl->job.runs; i++) {
		sim_run(ctl->job.seed + i);
		count_run();
		if (ctl->result.outcome == OUTCOME_FAILURE)
			break;
	}
}

static void job_clean(void)
{
	ctl->result.outcome = OUTCOME_CLEAN;
	ctl->result.runs = ctl->job.runs;
}

static void job_limit(void)
{
	ctl->result.outcome = OUTCOME_LIMIT;
	ctl->result.runs = ctl->result.limits = ctl->job.runs;
}

static void job_dfs(void)
{
	static unsigned left = 5;

	if (!(ctl->job.flags & JOB_DFS_RESUME))
		left = 5;
	ctl->result.outcome = OUTCOME_CLEAN;
	ctl->result.runs = left >= 2 ? 2 : left;
	left -= (unsigned)ctl->result.runs;
	ctl->result.exhausted = left == 0;
}

static void job_garbage(void)
{
	memset(&ctl->result, 0xff, sizeof(ctl->result));
	ctl->result.outcome = OUTCOME_FAILURE;
	ctl->module_count = ctl->note_count = UINT32_MAX;
	memset(ctl->modules, 'x', sizeof(ctl->modules));
	memset(ctl->notes, 'x', sizeof(ctl->notes));
	memset(ctl->threads, 0xff, sizeof(ctl->threads));
	ctl->choices.offset = UINT64_MAX;
	ctl->events.bytes = UINT64_MAX;
}

static void job_stepdown(void)
{
	job_clean();
	if (ctl->job.engine == ENGINE_RESET) {
		ctl->result.outcome = OUTCOME_STEPDOWN;
		ctl->result.runs = 3; /* the abandoned one included */
		ctl->result.seed = ctl->job.seed + 2;
		strcpy(ctl->result.reason, "a written file");
	}
	ctl->result.engine = ctl->job.engine;
}

static void job_dies(void)
{
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
}

static void job_pauses(void)
{
	for (;;)
		pause();
}

static void job_reads(void)
{
	char byte;

	while (read(0, &byte, 1) >= 0)
		continue;
}

static void job_spins(void)
{
	for (volatile unsigned i = 0;; i++)
		continue;
}

static const struct {
	const char *name;
	void (*job)(void);
} behaviours[] = {
	{"sim", job_sim},	  {"clean", job_clean}, {"limit", job_limit},
	{"garbage", job_garbage}, {"dies", job_dies},	{"stepdown", job_stepdown},
	{"pauses", job_pauses},	  {"reads", job_reads}, {"spins", job_spins},
	{"dfs", job_dfs},
};

static void serve(void (*job)(void))
{
	if (ctl->job.flags & JOB_ONCE) {
		set_state(STATE_RUNNING);
		job();
		set_state(STATE_DONE);
		_exit(0);
	}
	set_state(STATE_READY);
	for (;;) {
		wait_job();
		set_state(STATE_RUNNING);
		printf("run of seed %llu\n", (unsigned long long)ctl->job.seed);
		fflush(stdout);
		job();
		set_state(STATE_DONE);
	}
}

__attribute__((constructor)) static void fake_main(int argc, char **argv)
{
	void *map;

	if (!getenv(WIRE_CTL_ENV) || argc < 2)
		return;
	if (strcmp(argv[1], "early") == 0) {
		if (write(2, "cannot find my library\n", 23) < 0)
			_exit(4);
		_exit(3);
	}
	map = mmap(NULL, sizeof(*ctl), PROT_READ, MAP_SHARED, WIRE_CTL_FD, 0);
	if (map == MAP_FAILED)
		_exit(5);
	map = mmap(NULL, ((struct wire_ctl *)map)->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		   WIRE_CTL_FD, 0);
	if (map == MAP_FAILED)
		_exit(6);
	ctl = map;
	ctl->guest_pid = (uint32_t)getpid();
	for (size_t i = 0; i < sizeof(behaviours) / sizeof(behaviours[0]); i++)
		if (strcmp(argv[1], behaviours[i].name) == 0)
			serve(behaviours[i].job);
	_exit(7);
}

void fake_opts(struct run_guest_opts *o, struct run_program *program, const char *behaviour)
{
	char self[] = "/proc/self/exe";
	char *argv[] = {self, (char *)behaviour, NULL};
	struct err e = ERR_INIT;

	if (run_program_init(program, argv, NULL, &e) != 0) {
		fprintf(stderr, "%s\n", e.text);
		abort();
	}
	*o = (struct run_guest_opts){
		.program = program,
		.capture = true,
		.in_fd = -1,
		.hang_ns = UINT64_C(5000000000),
		.sizes = {.choices = 1 << 12, .events = 1 << 12, .scratch = 4096},
	};
}
