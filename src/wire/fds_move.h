/* What goes into the queues of fds.h and comes out of them: bytes, packets, counts. */
#ifndef HEDDLE_WIRE_FDS_MOVE_H
#define HEDDLE_WIRE_FDS_MOVE_H

#include "wire/fds_entry.h"

/* ---- taking ---- */

static inline int64_t fds_nothing(const struct fds_file *f, const struct fds_call *c)
{
	return (f->flags & FDS_NONBLOCK) || (c->flags & FDS_NOWAIT) ? -EAGAIN : FDS_BLOCKS;
}

static inline void fds_take_count(struct fds_world *w, struct fds_file *f, const struct fds_call *c,
				  struct fds_answer *a)
{
	struct fds_queue *q = &w->queue[f->in];
	uint64_t value = q->kind == FDS_TOKENS ? 1 : q->count;

	if (c->value < 8) {
		a->result = -EINVAL;
	} else if (q->count == 0) {
		a->result = fds_nothing(f, c);
	} else {
		__builtin_memcpy(a->bytes, &value, 8);
		a->result = a->n = 8;
		q->count -= value;
		fds_notify(w, f->in, FDS_OUT | FDS_WRNORM);
	}
}

/* Packets lie in their queue behind their lengths. */
static inline void fds_take_packet(struct fds_world *w, struct fds_file *f,
				   const struct fds_call *c, struct fds_answer *a)
{
	struct fds_queue *q = &w->queue[f->in];
	uint32_t at = fds_content_at(w, f->in), length;

	RULE_ASSERT(q->bytes >= 4);
	__builtin_memcpy(&length, w->bytes + at, 4);
	RULE_ASSERT(length <= q->bytes - 4);
	a->n = length < c->value ? length : (uint32_t)c->value;
	a->result = a->n;
	__builtin_memcpy(a->bytes, w->bytes + at + 4, a->n);
	if (c->flags & FDS_PEEK)
		return;
	fds_drop_content(w, f->in, length + 4);
	q->messages--;
	fds_notify(w, f->in, FDS_OUT | FDS_WRNORM);
}

static inline void fds_take_bytes(struct fds_world *w, struct fds_file *f, const struct fds_call *c,
				  struct fds_answer *a)
{
	struct fds_queue *q = &w->queue[f->in];
	int full;

	a->n = q->bytes < c->value ? q->bytes : (uint32_t)c->value;
	a->result = a->n;
	__builtin_memcpy(a->bytes, w->bytes + fds_content_at(w, f->in), a->n);
	if (c->flags & FDS_PEEK)
		return;
	/* Writers of a pipe hear only that it is full no more. */
	full = q->kind != FDS_PIPE || q->room - q->bytes < FDS_PIPE_BUF;
	fds_drop_content(w, f->in, a->n);
	if (full)
		fds_notify(w, f->in, FDS_OUT | FDS_WRNORM);
}

/* That a connection was reset is said once. */
static inline int fds_was_reset(struct fds_queue *in)
{
	int was = in->shut & FDS_RESET;

	in->shut &= (uint8_t)~FDS_RESET;
	return was;
}

static inline void fds_get(struct fds_world *w, const struct fds_call *c, struct fds_answer *a)
{
	struct fds_file *f = &w->file[w->number[c->fd] - 1];
	struct fds_queue *q;
	uint64_t wanted;

	if (f->in == FDS_NONE) {
		a->result = -EBADF;
		return;
	}
	q = &w->queue[f->in];
	wanted = c->flags & FDS_ALL && q->kind == FDS_STREAM && c->value < q->room ? c->value : 1;
	if (q->kind == FDS_EPOLL) {
		a->result = -EINVAL;
	} else if (q->kind >= FDS_COUNTER) {
		fds_take_count(w, f, c, a);
	} else if (c->value == 0 && !(c->flags & FDS_SOCKET)) {
		a->result = 0; /* read() of nothing; recv() of nothing waits, and takes a packet */
	} else if (q->kind == FDS_SEQUENCE && fds_was_reset(q)) {
		a->result = -ECONNRESET;
	} else if (q->messages) {
		fds_take_packet(w, f, c, a);
	} else if (q->bytes && (q->bytes >= wanted || fds_in_over(w, f->in))) {
		fds_take_bytes(w, f, c, a);
	} else if (fds_was_reset(q)) {
		a->result = -ECONNRESET;
	} else {
		a->result = fds_nothing(f, c);
		/* A datagram socket that has been shut down ends waits, but not attempts. */
		if (fds_in_over(w, f->in) && (q->kind != FDS_DATAGRAM || a->result == FDS_BLOCKS))
			a->result = 0;
	}
}

/* ---- putting ---- */

static inline void fds_insert(struct fds_world *w, uint32_t q, const void *from, uint32_t n)
{
	uint32_t at = fds_content_at(w, q) + w->queue[q].bytes;

	RULE_ASSERT(n <= FDS_CONTENT - w->content);
	RULE_ASSERT(w->queue[q].bytes + n <= w->queue[q].room);
	__builtin_memmove(w->bytes + at + n, w->bytes + at, w->content - at);
	__builtin_memcpy(w->bytes + at, from, n);
	w->content += n;
	w->queue[q].bytes += n;
}

static inline void fds_put_count(struct fds_world *w, struct fds_file *f, const struct fds_call *c,
				 const unsigned char *payload, struct fds_answer *a)
{
	struct fds_queue *q = &w->queue[f->out];
	uint64_t value = 0;

	if (c->n < 8) {
		a->result = -EINVAL;
		return;
	}
	__builtin_memcpy(&value, payload, 8);
	if (value > FDS_COUNTER_MAX) {
		a->result = -EINVAL;
	} else if (FDS_COUNTER_MAX - q->count < value) {
		a->result = fds_nothing(f, c);
	} else {
		q->count += value;
		a->result = 8;
		fds_notify(w, f->out, FDS_IN | FDS_RDNORM);
	}
}

static inline void fds_put_packet(struct fds_world *w, struct fds_file *f, const struct fds_call *c,
				  const unsigned char *payload, struct fds_answer *a)
{
	struct fds_queue *q = &w->queue[f->out];

	if (c->n + 4 > q->room) {
		a->result = -EMSGSIZE;
	} else if (q->bytes + c->n + 4 > q->room) {
		a->result = fds_nothing(f, c);
	} else if (w->content + c->n + 4 > FDS_CONTENT) {
		a->result = FDS_FULL;
	} else {
		fds_insert(w, f->out, &c->n, 4);
		fds_insert(w, f->out, payload, c->n);
		q->messages++;
		a->result = c->n;
		fds_notify(w, f->out, FDS_IN | FDS_RDNORM);
	}
}

/* Puts what fits; a caller that blocks comes again with the rest. */
static inline void fds_put_bytes(struct fds_world *w, struct fds_file *f, const struct fds_call *c,
				 const unsigned char *payload, struct fds_answer *a)
{
	struct fds_queue *q = &w->queue[f->out];
	uint32_t room = q->room - q->bytes;
	uint32_t piece = q->kind == FDS_PIPE && c->n <= FDS_PIPE_BUF ? c->n : 1;
	uint32_t n = c->n < room ? c->n : room;

	if (c->n == 0) {
		a->result = 0;
	} else if (room < piece) {
		a->result = fds_nothing(f, c);
	} else if (w->content + n > FDS_CONTENT) {
		a->result = FDS_FULL;
	} else {
		fds_insert(w, f->out, payload, n);
		a->result = n;
		fds_notify(w, f->out, FDS_IN | FDS_RDNORM);
	}
}

/*
 * Why nothing can be put into the queue; 0 when it can.  A datagram socket says once that nobody is
 * there, and then that it has no peer.
 */
static inline int64_t fds_refusal(const struct fds_world *w, struct fds_queue *q)
{
	int nobody = fds_takers(w, (uint32_t)(q - w->queue)) == 0;

	if (q->kind != FDS_DATAGRAM)
		return nobody || (q->shut & (FDS_SHUT_IN | FDS_SHUT_OUT)) ? -EPIPE : 0;
	if (q->shut & FDS_SHUT_OUT)
		return -EPIPE;
	if (q->shut & FDS_PARTED)
		return -ENOTCONN;
	if (!nobody)
		return q->shut & FDS_SHUT_IN ? -EPIPE : 0;
	q->shut |= FDS_PARTED;
	return -ECONNREFUSED;
}

static inline void fds_put(struct fds_world *w, const struct fds_call *c,
			   const unsigned char *payload, struct fds_answer *a)
{
	struct fds_file *f = &w->file[w->number[c->fd] - 1];
	struct fds_queue *q;

	if (f->out == FDS_NONE) {
		a->result = w->queue[f->in].kind >= FDS_COUNTER ? -EINVAL : -EBADF;
		return;
	}
	q = &w->queue[f->out];
	if (q->kind == FDS_PIPE && c->n == 0) {
		a->result = 0;
		return;
	}
	a->result = q->kind == FDS_SEQUENCE && fds_was_reset(&w->queue[f->in]) ? -ECONNRESET
									       : fds_refusal(w, q);
	if (a->result == -ECONNREFUSED) { /* it parts with what it had from its peer, too */
		fds_drop_content(w, f->in, w->queue[f->in].bytes);
		w->queue[f->in].messages = 0;
	}
	if (a->result < 0)
		return;
	if (q->kind >= FDS_COUNTER)
		fds_put_count(w, f, c, payload, a);
	else if (q->kind == FDS_SEQUENCE || q->kind == FDS_DATAGRAM)
		fds_put_packet(w, f, c, payload, a);
	else
		fds_put_bytes(w, f, c, payload, a);
}

#endif
