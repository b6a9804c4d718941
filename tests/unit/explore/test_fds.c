/*
 * Descriptors of the model against the kernel's: random calls on both, and the same answers.
 * Nothing here blocks.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/rng.h"
#include "explore/learn/fds.h"
#include "wire/fds_rules.h"

#define OPEN 12 /* numbers of the model that are looked at */
#define CALLS 400
#define ROUNDS 200

struct twins {
	struct fds_world *world;
	unsigned char *bytes;
	int real[FDS_NUMBERS]; /* the kernel's number for one of the model; -1: none */
	struct rng rng;
};

static void begin(struct twins *t, uint64_t seed)
{
	t->world = xcalloc(1, sizeof(*t->world));
	t->bytes = xcalloc(1, FDS_CONTENT);
	for (int i = 0; i < FDS_NUMBERS; i++)
		t->real[i] = -1;
	rng_seed(&t->rng, seed);
}

static void end(struct twins *t)
{
	for (int i = 0; i < FDS_NUMBERS; i++)
		if (t->real[i] >= 0)
			close(t->real[i]);
	free(t->world);
	free(t->bytes);
}

static uint32_t below(struct twins *t, uint32_t n)
{
	return (uint32_t)(rng_next(&t->rng) % n);
}

static struct fds_answer model(struct twins *t, struct fds_call call, const void *payload)
{
	struct fds_answer a = {.bytes = t->bytes};

	call.taken[0] = 7; /* standard input and output */
	call.flags |= FDS_NOWAIT;
	fds_do(t->world, &call, payload, &a);
	return a;
}

static int64_t outcome(ssize_t result)
{
	return result < 0 ? -errno : result;
}

/* ---- making and closing ---- */

/* So many are open that more would never be looked at. */
static bool is_full(const struct twins *t)
{
	struct fds_call call = {.taken = {7}};

	return fds_free_number(t->world, &call, 0) > OPEN;
}

static void make_pair(struct twins *t)
{
	static const int types[] = {SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM};
	uint32_t which = below(t, 4);
	struct fds_call call = {.op = which == 3 ? FDS_DO_PIPE : FDS_DO_PAIR,
				.flags = FDS_NONBLOCK,
				.value = FDS_STREAM + which};
	struct fds_answer a = model(t, call, NULL);
	int two[2];

	assert_int_equal(a.result, 0);
	assert_int_equal(which == 3 ? pipe2(two, O_NONBLOCK)
				    : socketpair(AF_UNIX, types[which] | SOCK_NONBLOCK, 0, two),
			 0);
	t->real[a.numbers[0]] = two[0];
	t->real[a.numbers[1]] = two[1];
}

static void make_one(struct twins *t)
{
	uint32_t which = below(t, 3);
	struct fds_call call = {.op = which == 2 ? FDS_DO_EPOLL : FDS_DO_COUNTER,
				.flags = FDS_NONBLOCK,
				.value = which,
				.extra = which ? FDS_TOKENS : FDS_COUNTER};
	struct fds_answer a = model(t, call, NULL);

	assert_true(a.result >= 3);
	t->real[a.result] = which == 2 ? epoll_create1(0)
				       : eventfd(which, EFD_NONBLOCK | (which ? EFD_SEMAPHORE : 0));
	assert_true(t->real[a.result] >= 0);
}

static int pick(struct twins *t)
{
	return 3 + (int)below(t, OPEN);
}

static void close_one(struct twins *t)
{
	int fd = pick(t);
	struct fds_answer a = model(t, (struct fds_call){.op = FDS_DO_CLOSE, .fd = fd}, NULL);

	assert_int_equal(a.result, outcome(close(t->real[fd])));
	t->real[fd] = -1;
}

static void copy_one(struct twins *t)
{
	int fd = pick(t);
	struct fds_answer a = model(t, (struct fds_call){.op = FDS_DO_DUP, .fd = fd}, NULL);
	int real = dup(t->real[fd]);

	assert_int_equal(a.result < 0, real < 0);
	if (a.result >= 0)
		t->real[a.result] = real;
}

/* ---- bytes ---- */

static void put(struct twins *t)
{
	unsigned char bytes[16] = {0};
	int fd = pick(t);
	uint32_t n = below(t, 3) ? 8 : below(t, 9); /* kernels differ on longer ones to eventfds */
	struct fds_answer a;

	for (uint32_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = i % 8 < 2 ? (unsigned char)below(t, 4) : 0;
	a = model(t, (struct fds_call){.op = FDS_DO_PUT, .fd = fd, .n = n}, bytes);
	assert_int_equal(a.result, outcome(write(t->real[fd], bytes, n)));
}

static void get(struct twins *t)
{
	unsigned char bytes[16];
	int fd = pick(t);
	uint32_t n = below(t, 2) ? 8 : below(t, sizeof(bytes));
	struct fds_answer a =
		model(t, (struct fds_call){.op = FDS_DO_GET, .fd = fd, .value = n}, NULL);

	assert_int_equal(a.result, outcome(read(t->real[fd], bytes, n)));
	if (a.result > 0)
		assert_memory_equal(a.bytes, bytes, (size_t)a.result);
}

static void shut(struct twins *t)
{
	int fd = pick(t), how = (int)below(t, 3);
	struct fds_call call = {.op = FDS_DO_SHUTDOWN,
				.fd = fd,
				.flags = FDS_SOCKET,
				.value = how == SHUT_RD	  ? FDS_SHUT_IN
					 : how == SHUT_WR ? FDS_SHUT_OUT
							  : FDS_SHUT_IN | FDS_SHUT_OUT};

	assert_int_equal(model(t, call, NULL).result, outcome(shutdown(t->real[fd], how)));
}

/* ---- waiting ---- */

static void poll_one(struct twins *t)
{
	int fd = pick(t);
	struct fds_want want = {fd, POLLIN | POLLOUT | POLLRDHUP, 0};
	struct pollfd p = {t->real[fd], POLLIN | POLLOUT | POLLRDHUP, 0};
	struct fds_answer a;
	uint16_t found;

	if (t->real[fd] < 0)
		return;
	a = model(t, (struct fds_call){.op = FDS_DO_POLL, .fd = -1, .n = sizeof(want)}, &want);
	assert_int_equal(a.result, poll(&p, 1, 0));
	memcpy(&found, a.bytes, 2);
	assert_int_equal(found, p.revents);
}

static bool is_epoll(struct twins *t, int fd)
{
	uint8_t f = t->world->number[fd];

	return f && t->world->queue[t->world->file[f - 1].in].kind == FDS_EPOLL;
}

static void watch(struct twins *t)
{
	static const uint32_t ways[] = {0, EPOLLET, EPOLLONESHOT};
	int fd = pick(t), on = pick(t), how = 1 + (int)below(t, 3);
	struct epoll_event e = {.events = (below(t, 2) ? EPOLLIN : EPOLLOUT) | ways[below(t, 3)],
				.data.u64 = below(t, 100)};
	/* When there is room again in sockets the kernel says by buffers, not by bytes. */
	if (e.events & EPOLLOUT)
		e.events &= ~EPOLLET;
	struct fds_call call = {.op = FDS_DO_CTL,
				.fd = fd,
				.to = on,
				.value = e.events | (uint64_t)how << 32,
				.extra = e.data.u64};

	if (t->real[fd] < 0 || t->real[on] < 0 ||
	    t->world->file[t->world->number[fd] - 1].in == FDS_NONE || !is_epoll(t, fd) ||
	    (t->world->file[t->world->number[on] - 1].in != FDS_NONE && is_epoll(t, on)))
		return;
	assert_int_equal(model(t, call, NULL).result,
			 outcome(epoll_ctl(t->real[fd], how, t->real[on], &e)));
}

static void wait_for(struct twins *t)
{
	int fd = pick(t), most = 1 + (int)below(t, 3);
	struct fds_call call = {.op = FDS_DO_WAIT, .fd = fd, .value = (uint64_t)most};
	struct epoll_event got[4];
	struct fds_answer a = model(t, call, NULL);

	assert_int_equal(a.result, outcome(epoll_wait(t->real[fd], got, most, 0)));
	if (a.result > 0)
		assert_memory_equal(a.bytes, got, (size_t)a.result * sizeof(got[0]));
}

static void model_answers_like_the_kernel(void **state)
{
	static void (*const makers[])(struct twins *) = {make_pair, make_one, copy_one};
	static void (*const calls[])(struct twins *) = {close_one, put,	  put,	    put,
							get,	   get,	  shut,	    poll_one,
							watch,	   watch, wait_for, wait_for};

	signal(SIGPIPE, SIG_IGN);
	for (uint64_t round = 0; round < ROUNDS; round++) {
		struct twins t;

		begin(&t, round);
		for (int i = 0; i < CALLS; i++) {
			if (!is_full(&t) && below(&t, 4) == 0)
				makers[below(&t, 3)](&t);
			calls[below(&t, sizeof(calls) / sizeof(calls[0]))](&t);
		}
		end(&t);
	}
}

/* ---- states and moves ---- */

static uint32_t call_of(struct learn_fds *f, struct fds_call call, const char *payload)
{
	uint8_t bytes[sizeof(call) + 16];

	memcpy(bytes, &call, sizeof(call));
	memcpy(bytes + sizeof(call), payload, call.n);
	return learn_fds_call(f, bytes, sizeof(call) + call.n);
}

static void equal_contents_are_one_state(void **state)
{
	struct learn_fds f;
	uint32_t make, put, get, one;
	struct learn_fds_move m;

	learn_fds_init(&f);
	make = call_of(&f, (struct fds_call){.op = FDS_DO_PIPE}, "");
	put = call_of(&f, (struct fds_call){.op = FDS_DO_PUT, .fd = 1, .n = 2}, "ab");
	get = call_of(&f, (struct fds_call){.op = FDS_DO_GET, .fd = 0, .value = 2}, "");
	m = learn_fds_move(&f, 0, make);
	assert_false(m.blocks);
	one = m.next;
	assert_true(learn_fds_move(&f, one, get).blocks);
	m = learn_fds_move(&f, one, put);
	assert_false(m.blocks);
	assert_int_not_equal(m.next, one);
	assert_int_equal(learn_fds_move(&f, m.next, get).next, one);
	for (int i = 0; i < 200; i++)
		m = learn_fds_move(&f, m.next, put);
	assert_int_equal(learn_fds_move(&f, one, put).next, learn_fds_move(&f, one, put).next);
	learn_fds_fini(&f);
}

static void broken_calls_are_refused(void **state)
{
	struct learn_fds f;

	learn_fds_init(&f);
	assert_int_equal(learn_fds_call(&f, (const uint8_t *)"short", 5), LEARN_FDS_NO_CALL);
	assert_int_equal(call_of(&f, (struct fds_call){.op = 0}, ""), LEARN_FDS_NO_CALL);
	assert_int_equal(call_of(&f, (struct fds_call){.op = FDS_DO_PAIR, .value = 99}, ""),
			 LEARN_FDS_NO_CALL);
	assert_int_equal(call_of(&f, (struct fds_call){.op = FDS_DO_DUP2, .to = 1000}, ""),
			 LEARN_FDS_NO_CALL);
	learn_fds_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(model_answers_like_the_kernel),
		cmocka_unit_test(equal_contents_are_one_state),
		cmocka_unit_test(broken_calls_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
