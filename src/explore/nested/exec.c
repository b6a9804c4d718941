#include "explore/nested/exec.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/lookup.h"
#include "base/mem.h"

#define LOOK_NS 5000000 /* between two looks whether the program is still there */

/* ---- what is shared ---- */

static void nobody(int number)
{
}

int nested_program_begin(struct nested_program *p, struct err *e)
{
	/* The end of a child interrupts a wait. */
	struct sigaction wakes = {.sa_handler = nobody};
	char *name = fs_temporary_pattern("heddle-nested");
	int fd = mkstemp(name);
	int rc = 0;

	sigaction(SIGCHLD, &wakes, NULL);
	if (fd < 0 || ftruncate(fd, sizeof(*p->shared)) != 0)
		rc = err_errno(e, ERR_IO, "cannot create %s", name);
	if (rc == 0)
		p->shared =
			mmap(NULL, sizeof(*p->shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (rc == 0 && p->shared == MAP_FAILED) {
		p->shared = NULL;
		rc = err_errno(e, ERR_IO, "cannot map %s", name);
	}
	if (fd >= 0)
		close(fd);
	p->shared_path = name;
	return rc;
}

void nested_program_end(struct nested_program *p)
{
	if (p->shared)
		munmap(p->shared, sizeof(*p->shared));
	if (p->shared_path)
		unlink(p->shared_path);
	free(p->shared_path);
	p->shared = NULL;
	p->shared_path = NULL;
}

/* ---- offers ---- */

/* Objects are named in the order in which they are met, which is the same wherever the choices are.
 */
static uint64_t name_of(struct nested_run *run, uint64_t address)
{
	if (!address)
		return 0;
	for (size_t i = 0; i < run->objects.count; i++)
		if (run->objects.items[i] == address)
			return i + 1 + NESTED_OBJECT_SCHEDULE;
	vec_push(&run->objects, address);
	return run->objects.count + NESTED_OBJECT_SCHEDULE;
}

static bool is_schedules(uint32_t kind)
{
	return kind == NESTED_TURN || kind == NESTED_TIMER;
}

static void offer_slot(struct nested_run *run, const struct nested_ctl *shared, uint32_t i)
{
	const struct nested_slot *s = &shared->slot[i];
	struct nested_stand stand = {.pc = s->pc, .offer.enabled = s->enabled};
	struct reduce_op *op = &stand.offer.op;

	op->kind = s->kind < NESTED_KINDS ? (uint16_t)s->kind : NESTED_TOUCH;
	op->thread = is_schedules(op->kind) ? NESTED_SCHEDULE : i + 1;
	if (is_schedules(op->kind) || op->kind == NESTED_RETURN)
		op->object = NESTED_OBJECT_SCHEDULE;
	else
		op->object = name_of(run, s->object);
	op->second = is_schedules(op->kind) ? 0 : name_of(run, s->second);
	op->arg = is_schedules(op->kind) ? shared->time : 0;
	vec_push(&run->stands, stand);
}

static void offer_timer(struct nested_run *run, const struct nested_ctl *shared)
{
	struct nested_stand stand = {.offer.enabled = true};

	stand.offer.op = (struct reduce_op){.thread = NESTED_SCHEDULE,
					    .kind = NESTED_TIMER,
					    .object = NESTED_OBJECT_SCHEDULE,
					    .arg = shared->time};
	vec_push(&run->stands, stand);
}

static int by_thread(const void *a, const void *b)
{
	const struct nested_stand *x = a, *y = b;

	return x->offer.op.thread < y->offer.op.thread ? -1
						       : x->offer.op.thread > y->offer.op.thread;
}

/* Where every thread stands, and whether one is away that may change that. */
static bool look_around(struct nested_run *run, const struct nested_ctl *shared)
{
	bool away = false, turn = false;

	vec_clear(&run->stands);
	for (uint32_t i = 0; i < NESTED_SLOTS; i++) {
		away |= shared->slot[i].state == NESTED_IS_AWAY;
		if (shared->slot[i].state != NESTED_ASKS)
			continue;
		turn |= is_schedules(shared->slot[i].kind);
		offer_slot(run, shared, i);
	}
	if (shared->timer && shared->timer <= NESTED_SLOTS && !turn) {
		if (run->stands.count)
			run->reasons |= NESTED_WHY_TIME;
		offer_timer(run, shared);
	}
	if (run->stands.count)
		qsort(run->stands.items, run->stands.count, sizeof(run->stands.items[0]),
		      by_thread);
	return away;
}

/* ---- answers ---- */

static void wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static void let_go(struct nested_ctl *shared, uint32_t slot, uint32_t how)
{
	struct nested_slot *s = &shared->slot[slot];

	s->state = NESTED_RUNS;
	__atomic_store_n(&shared->running, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&s->go, how, __ATOMIC_RELEASE);
	wake(&s->go);
}

/* Two executions with one order at every object have equal hashes. */
static void note_order(struct nested_run *run, const struct reduce_op *op)
{
	uint64_t objects[2] = {op->object, op->second};

	if (op->object == NESTED_OBJECT_SCHEDULE || op->kind == NESTED_EXIT)
		return;
	for (int i = 0; i < 2; i++) {
		if (!objects[i])
			continue;
		while (run->orders.count <= objects[i])
			vec_push(&run->orders, 0);
		run->orders.items[objects[i]] =
			lookup_mix(run->orders.items[objects[i]] + 1, op->thread * 64 + op->kind);
	}
}

static void answer(struct nested_run *run, struct nested_ctl *shared, uint32_t thread)
{
	vec_push(&run->choices, thread);
	for (size_t i = 0; i < run->stands.count; i++)
		if (run->stands.items[i].offer.op.thread == thread)
			note_order(run, &run->stands.items[i].offer.op);
	if (thread != NESTED_SCHEDULE) {
		assert(thread <= NESTED_SLOTS);
		let_go(shared, thread - 1, NESTED_GO);
		return;
	}
	for (uint32_t i = 0; i < NESTED_SLOTS; i++)
		if (shared->slot[i].state == NESTED_ASKS && is_schedules(shared->slot[i].kind)) {
			let_go(shared, i, NESTED_GO);
			return;
		}
	let_go(shared, shared->timer - 1, NESTED_GO_TIMER);
}

/* ---- one execution ---- */

struct watch {
	struct nested_program *p;
	struct nested_run *run;
	nested_decide_fn decide;
	void *arg;
	uint32_t answered;
	uint64_t since, operations; /* since when the program has made no progress */
	bool gone;		    /* it has ended by itself */
	VEC(struct reduce_offer) offers;
};

/* Every thread stands.  True when the execution is over. */
static bool decide(struct watch *w)
{
	struct nested_run *run = w->run;
	bool away = look_around(run, w->p->shared), any = false;
	uint32_t thread;

	vec_clear(&w->offers);
	for (size_t i = 0; i < run->stands.count; i++) {
		vec_push(&w->offers, run->stands.items[i].offer);
		any |= run->stands.items[i].offer.enabled;
	}
	if (!any && (away || !run->stands.count))
		return false;
	if (w->decide(w->arg, w->offers.items, w->offers.count, &thread) != 0) {
		run->end = any ? NESTED_STOPPED : NESTED_STUCK;
		return true;
	}
	assert(any);
	answer(run, w->p->shared, thread);
	w->since = limit_now();
	return false;
}

static bool has_progress(struct watch *w)
{
	uint64_t now = w->run->launch.ctl->operations;
	bool moved = now != w->operations;

	w->operations = now;
	return moved;
}

/* Waits until there is something to decide, or for a moment. */
static void wait_a_moment(struct watch *w)
{
	struct timespec moment = {0, LOOK_NS};

	if (w->decide)
		syscall(SYS_futex, &w->p->shared->ask, FUTEX_WAIT, w->answered, &moment, NULL, 0);
	else
		nanosleep(&moment, NULL);
}

static int watch(struct watch *w, struct err *e)
{
	struct nested_run *run = w->run;
	pid_t ended;

	w->since = limit_now();
	while ((ended = waitpid(run->launch.pid, &run->status, WNOHANG)) == 0 ||
	       (ended < 0 && errno == EINTR)) {
		uint32_t ask = __atomic_load_n(&w->p->shared->ask, __ATOMIC_ACQUIRE);

		if (w->decide && ask != w->answered) {
			w->answered = ask;
			if (decide(w))
				return 0;
			continue;
		}
		wait_a_moment(w);
		if (has_progress(w))
			w->since = limit_now();
		if (limit_reached(w->p->limit) != LIMIT_NONE) {
			run->end = NESTED_CUT;
			return 0;
		}
		if (w->p->hang_ns && limit_now() - w->since > w->p->hang_ns) {
			run->end = NESTED_HUNG;
			return 0;
		}
	}
	if (ended < 0)
		return err_errno(e, ERR_INTERNAL, "waiting for the program");
	w->gone = true;
	run->end = run->launch.ctl->flags & STABLE_FLAG_DEADLOCK ? NESTED_STUCK : NESTED_ENDED;
	return 0;
}

static void end_program(struct nested_run *run, bool ended)
{
	/* Whatever it started goes with it. */
	kill(-run->launch.pid, SIGKILL);
	if (!ended)
		while (waitpid(run->launch.pid, &run->status, 0) < 0 && errno == EINTR)
			continue;
}

static void keep_output(struct nested_run *run, int fd)
{
	static char block[1 << 16];
	struct strbuf text = STRBUF_INIT;
	uint64_t at = 0;
	ssize_t n;

	run->output_hash = FS_HASH_START;
	while ((n = pread(fd, block, sizeof(block), (off_t)at)) > 0) {
		run->output_hash = fs_hash(run->output_hash, block, (size_t)n);
		at += (uint64_t)n;
		if (text.length > NESTED_OUTPUT_KEPT) {
			memmove(text.text, text.text + text.length / 2,
				text.length - text.length / 2);
			text.length -= text.length / 2;
		}
		strbuf_add_bytes(&text, block, (size_t)n);
	}
	run->output = strbuf_take(&text);
}

static void set_environment(const struct nested_program *p, bool decides)
{
	setenv("HEDDLE_STABLE_HASH", "1", 1);
	setenv("HEDDLE_STABLE_PCS_EXIT", p->det ? "det" : "nondet", 1);
	if (decides) {
		setenv("HEDDLE_STABLE_NESTED", p->shared_path, 1);
		setenv("HEDDLE_STABLE_IDLE", "ff", 1);
		return;
	}
	unsetenv("HEDDLE_STABLE_NESTED");
	unsetenv("HEDDLE_STABLE_IDLE");
}

static void reset_shared(struct nested_ctl *shared)
{
	memset(shared, 0, sizeof(*shared));
	shared->magic = NESTED_MAGIC;
	shared->version = NESTED_VERSION;
	shared->bytes = sizeof(*shared);
}

static void sum_up(struct nested_run *run, const struct nested_ctl *shared)
{
	run->reasons |= shared->reasons;
	memcpy(run->why_pc, shared->why_pc, sizeof(run->why_pc));
	for (size_t i = 0; i < run->orders.count; i++)
		run->order_hash = lookup_mix(run->order_hash, run->orders.items[i]);
}

int nested_execute(struct nested_program *p, nested_decide_fn fn, void *arg, struct nested_run *run,
		   struct err *e)
{
	struct watch w = {.p = p, .run = run, .decide = fn, .arg = arg};
	uint64_t began = limit_now();
	int streams[2] = {p->input, memfd_create("heddle-output", MFD_CLOEXEC)};
	int rc = 0;

	assert(p->shared && !run->launch.ctl);
	if (streams[1] < 0)
		return err_errno(e, ERR_IO, "cannot make a file for the program's output");
	if (streams[0] < 0)
		streams[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	else
		lseek(streams[0], 0, SEEK_SET);
	reset_shared(p->shared);
	set_environment(p, fn != NULL);
	run->launch = (struct stable_launch){
		.library = p->library, .argv = p->argv, .streams = streams, .apart = true};
	rc = stable_launch_begin(&run->launch, p->path, e);
	if (rc == 0) {
		rc = watch(&w, e);
		end_program(run, w.gone);
		sum_up(run, p->shared);
		keep_output(run, streams[1]);
	}
	stable_launch_end(&run->launch);
	run->launch.streams = NULL;
	run->ns = limit_now() - began;
	close(streams[1]);
	if (p->input < 0 && streams[0] >= 0)
		close(streams[0]);
	vec_free(&w.offers);
	return rc;
}

void nested_run_fini(struct nested_run *run)
{
	stable_launch_free(&run->launch);
	free(run->output);
	vec_free(&run->choices);
	vec_free(&run->stands);
	vec_free(&run->objects);
	vec_free(&run->orders);
	memset(run, 0, sizeof(*run));
}

void nested_add_op(const struct reduce_op *op, struct strbuf *to)
{
	if (op->thread == NESTED_SCHEDULE)
		strbuf_addf(to, "the schedule's %s at time %llu", reduce_word(op->kind),
			    (unsigned long long)op->arg);
	else
		strbuf_addf(to, "T%u %s", op->thread - 1, reduce_word(op->kind));
	if (op->object > NESTED_OBJECT_SCHEDULE)
		strbuf_addf(to, " #%llu", (unsigned long long)op->object - NESTED_OBJECT_SCHEDULE);
	if (op->second)
		strbuf_addf(to, ", #%llu", (unsigned long long)op->second - NESTED_OBJECT_SCHEDULE);
}
