/* Waits that the log of a recording answers: for connections, descriptors and signals. */
#include <signal.h>
#include <string.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/cancel.h"
#include "guest/check/hook/memory/user.h"
#include "guest/check/hook/system/feed_priv.h"
#include "guest/check/hook/system/io.h"
#include "guest/check/rec/rec.h"

/* The log of the running thread has such a record, however far it has come. */
static bool was_logged(unsigned int kind)
{
	const struct wire_feed *f = feed_head();
	uint32_t number = feed_task_of(f, rt_current->tid);
	const struct wire_feed_task *t = number ? feed_task(f, number - 1) : NULL;
	const struct record_input *in;

	if (!t)
		return false;
	for (uint64_t at = 0; (in = feed_record(t, at)); at += in->bytes)
		if (feed_is_answer(in, kind))
			return true;
	return false;
}

/*
 * The answer to a wait.  Behind the last one the thread waited when the recording ended: it comes
 * no further here either, where nobody is at the other end.
 */
static const struct record_input *take_wait(unsigned int kind)
{
	const struct record_input *in = feed_on() ? feed_take(kind) : NULL;

	if (in || !feed_on() || !feed_task_of(feed_head(), rt_current->tid) || !was_logged(kind))
		return in;
	for (;;) {
		struct rt_op op = call_op(EVENT_IO, NULL, call_never_ready);

		op.flags = OP_CANCEL;
		sched_step(&op);
		cancel_point();
	}
}

bool feed_accept(int fd, struct sockaddr *from, socklen_t *from_bytes, int *made)
{
	const struct record_input *in = take_wait(RECORD_IN_ACCEPT);
	uint32_t site;

	if (!in)
		return false;
	site = feed_step(fd);
	*made = in->result < 0 ? -1 : feed_open_null((int)in->result);
	feed_mark(*made);
	rec_event(EVENT_IO, site, (uint64_t)(int64_t)fd, (uint64_t)(int64_t)*made, IO_ACCEPT);
	if (from && from_bytes && in->data > 0 && *made >= 0) {
		socklen_t n = in->data < *from_bytes ? (socklen_t)in->data : *from_bytes;

		user_write(from, feed_data(in), n, site);
		*from_bytes = in->data;
	}
	feed_error(in);
	return true;
}

/* What the call wrote, into memory of the program; one step with the event before. */
static bool answer(unsigned int kind, void *to, size_t n, int *ready)
{
	const struct record_input *in = take_wait(kind);
	uint32_t site;

	if (!in)
		return false;
	site = feed_step(-1);
	rec_event(EVENT_IO, site, 0, (uint64_t)in->result, IO_POLL);
	if (in->data > 0 && to)
		user_write(to, feed_data(in), in->data < n ? in->data : n, site);
	*ready = (int)in->result;
	feed_error(in);
	return true;
}

bool feed_poll(struct pollfd *fds, nfds_t count, int *ready)
{
	return answer(RECORD_IN_POLL, fds, count * sizeof(*fds), ready);
}

bool feed_select(fd_set *const sets[3], int *ready)
{
	const struct record_input *in = take_wait(RECORD_IN_SELECT);
	uint32_t site;

	if (!in)
		return false;
	site = feed_step(-1);
	rec_event(EVENT_IO, site, 0, (uint64_t)in->result, IO_POLL);
	for (size_t i = 0; i < 3; i++)
		if (sets[i] && in->data >= (i + 1) * sizeof(fd_set))
			user_write(sets[i], feed_data(in) + i * sizeof(fd_set), sizeof(fd_set),
				   site);
	*ready = (int)in->result;
	feed_error(in);
	return true;
}

/* ---- epoll ---- */

void feed_watch(int operation, int on, const struct epoll_event *event)
{
	if (!feed_on() || on < 0 || on >= FEED_FDS)
		return;
	feed_run.watched[on] = operation != EPOLL_CTL_DEL;
	if (feed_run.watched[on])
		feed_run.data[on] = event->data.u64;
}

#define NO_POINTER 65536 /* below it, data is a number and stays what it was */

/* Pointers are others now: what the program has now for the descriptor that had that data then. */
static uint64_t data_now(uint64_t then)
{
	const struct wire_feed *f = feed_head();
	const struct wire_feed_task *t;
	const struct record_input *in;
	uint64_t found = then;

	for (uint32_t i = 0; then >= NO_POINTER && (t = feed_task(f, i)); i++) {
		for (uint64_t at = 0; (in = feed_record(t, at)); at += in->bytes)
			if (in->kind == RECORD_IN_EPOLL_CTL && in->data == sizeof(then) &&
			    !memcmp(feed_data(in), &then, sizeof(then)) && in->detail < FEED_FDS &&
			    feed_run.watched[in->detail])
				found = feed_run.data[in->detail];
	}
	return found;
}

bool feed_epoll(struct epoll_event *events, int max, int *ready)
{
	const struct record_input *in = take_wait(RECORD_IN_EPOLL_WAIT);
	struct epoll_event e;
	uint32_t site;

	if (!in)
		return false;
	site = feed_step(-1);
	rec_event(EVENT_IO, site, 0, (uint64_t)in->result, IO_POLL);
	for (int i = 0; i < max && i < in->result && (size_t)i < in->data / sizeof(e); i++) {
		memcpy(&e, feed_data(in) + (size_t)i * sizeof(e), sizeof(e));
		e.data.u64 = data_now(e.data.u64);
		user_write(&events[i], &e, sizeof(e), site);
	}
	*ready = in->result < max ? (int)in->result : max;
	feed_error(in);
	return true;
}

/* ---- signals from outside ---- */

bool feed_signal(int *number)
{
	uint32_t outside = 0;
	int64_t result;

	if (!feed_value(RECORD_IN_SIGNAL, &outside, sizeof(outside), &result) || !outside ||
	    result <= 0 || result >= NSIG)
		return false;
	io_done(feed_step(-1), 0, (ssize_t)result, IO_SIGNAL);
	*number = (int)result;
	return true;
}

/* A row of a handler has the number of no child, and its first record the signal. */
int feed_handled(uint32_t tid, uint32_t *row)
{
	const struct wire_feed *f = feed_head();
	uint32_t task = f ? feed_task_of(f, tid) : 0;
	const struct record_input *in;
	const struct wire_feed_task *t;

	while (task && (t = feed_task(f, *row))) {
		++*row;
		if (t->index != WIRE_FEED_HANDLER || t->creator != task - 1)
			continue;
		in = feed_record(t, 0);
		if (in && in->kind == RECORD_IN_SIGNAL && in->result > 0 && in->result < NSIG)
			return (int)in->result;
	}
	return 0;
}
