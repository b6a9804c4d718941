/* What descriptors of fds.h are ready for, and waiting for several: poll and epoll. */
#ifndef HEDDLE_WIRE_FDS_READY_H
#define HEDDLE_WIRE_FDS_READY_H

#include <errno.h>

#include "wire/fds.h"
#include "wire/rules.h"

/* Where the contents of a queue begin. */
static inline uint32_t fds_content_at(const struct fds_world *w, uint32_t q)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < q; i++)
		at += w->queue[i].bytes;
	RULE_ASSERT(at + w->queue[q].bytes <= w->content);
	return at;
}

/* Files that take from a queue, and that put into it. */
static inline uint32_t fds_takers(const struct fds_world *w, uint32_t q)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->files; i++)
		n += w->file[i].used && w->file[i].in == q;
	return n;
}

static inline uint32_t fds_putters(const struct fds_world *w, uint32_t q)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->files; i++)
		n += w->file[i].used && w->file[i].out == q;
	return n;
}

/* ---- one descriptor ---- */

/*
 * Nothing more can come into the queue, or be put into it.  The two ends of a connection know of
 * each other; datagram sockets do not.
 */
static inline int fds_in_over(const struct fds_world *w, uint32_t q)
{
	if (w->queue[q].shut & FDS_SHUT_IN)
		return 1;
	return w->queue[q].kind < FDS_DATAGRAM &&
	       ((w->queue[q].shut & FDS_SHUT_OUT) || fds_putters(w, q) == 0);
}

static inline int fds_out_over(const struct fds_world *w, uint32_t q)
{
	if (w->queue[q].shut & FDS_SHUT_OUT)
		return 1;
	return w->queue[q].kind < FDS_DATAGRAM &&
	       ((w->queue[q].shut & FDS_SHUT_IN) || fds_takers(w, q) == 0);
}

static inline uint32_t fds_ready_in(const struct fds_world *w, const struct fds_file *f)
{
	const struct fds_queue *q = &w->queue[f->in];
	uint32_t ready = q->bytes || q->messages || q->count ? FDS_IN | FDS_RDNORM : 0;

	RULE_ASSERT(f->in < w->queues && q->kind != FDS_FREE && q->kind != FDS_EPOLL);
	if (q->kind == FDS_PIPE)
		return ready | (fds_in_over(w, f->in) ? FDS_HUP : 0);
	if (q->kind >= FDS_COUNTER)
		return ready;
	if (fds_in_over(w, f->in))
		ready |= FDS_IN | FDS_RDNORM | FDS_RDHUP;
	if (fds_in_over(w, f->in) && fds_out_over(w, f->out))
		ready |= FDS_HUP;
	return ready | (q->shut & FDS_RESET ? FDS_ERR : 0);
}

static inline uint32_t fds_ready_out(const struct fds_world *w, const struct fds_file *f)
{
	const struct fds_queue *q = &w->queue[f->out];

	RULE_ASSERT(f->out < w->queues && q->kind != FDS_FREE);
	RULE_ASSERT(q->bytes <= q->room || q->kind >= FDS_COUNTER);
	if (q->kind == FDS_COUNTER || q->kind == FDS_TOKENS)
		return q->count < FDS_COUNTER_MAX ? FDS_OUT | FDS_WRNORM : 0;
	if (q->kind == FDS_PIPE)
		return (q->room - q->bytes >= FDS_PIPE_BUF ? FDS_OUT | FDS_WRNORM : 0) |
		       (fds_takers(w, f->out) ? 0 : FDS_ERR);
	return (q->room - q->bytes) / 3 >= q->bytes ? FDS_OUT | FDS_WRNORM : 0;
}

static inline uint32_t fds_ready(const struct fds_world *w, uint32_t file)
{
	const struct fds_file *f = &w->file[file];
	uint32_t ready = 0;

	if (f->in != FDS_NONE && w->queue[f->in].kind == FDS_EPOLL) {
		for (uint32_t i = 0; i < w->watches; i++) {
			const struct fds_watch *x = &w->watch[i];

			if (x->used && x->queue == f->in && x->rank &&
			    (fds_ready(w, x->file) & (x->events | FDS_ERR | FDS_HUP)))
				return FDS_IN | FDS_RDNORM;
		}
		return 0;
	}
	if (f->in != FDS_NONE)
		ready |= fds_ready_in(w, f);
	if (f->out != FDS_NONE)
		ready |= fds_ready_out(w, f);
	return ready;
}

/* ---- poll ---- */

static inline uint32_t fds_found(const struct fds_world *w, const struct fds_call *c,
				 const struct fds_want *want)
{
	uint8_t number;

	if (want->fd < 0 || want->fd >= FDS_NUMBERS || want->found)
		return want->fd < 0 ? 0 : want->found;
	number = w->number[want->fd];
	if (number == FDS_REAL)
		return 0;
	if (number)
		return fds_ready(w, (uint32_t)number - 1) & (want->events | FDS_ERR | FDS_HUP);
	if ((c->taken[want->fd / 64] >> want->fd % 64 & 1) &&
	    !(w->gone[want->fd / 64] >> want->fd % 64 & 1))
		return 0;
	return FDS_NVAL;
}

static inline void fds_poll(const struct fds_world *w, const struct fds_call *c,
			    const unsigned char *payload, struct fds_answer *a)
{
	uint32_t count = c->n / (uint32_t)sizeof(struct fds_want), hits = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct fds_want want;
		uint16_t found;

		__builtin_memcpy(&want, payload + i * sizeof(want), sizeof(want));
		found = (uint16_t)fds_found(w, c, &want);
		__builtin_memcpy(a->bytes + i * 2, &found, 2);
		hits += found != 0;
	}
	a->n = count * 2;
	a->result = hits;
	if (hits || (c->flags & FDS_NOWAIT))
		return;
	a->n = 0;
	a->result = FDS_BLOCKS;
}

/* ---- epoll ---- */

static inline uint32_t fds_last_rank(const struct fds_world *w, uint32_t queue)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < w->watches; i++)
		if (w->watch[i].used && w->watch[i].queue == queue && w->watch[i].rank > last)
			last = w->watch[i].rank;
	return last;
}

static inline void fds_unlink(struct fds_world *w, struct fds_watch *x)
{
	RULE_ASSERT(x->used && x->rank <= w->watches);
	for (uint32_t i = 0; x->rank && i < w->watches; i++) {
		struct fds_watch *y = &w->watch[i];

		y->rank -= y->used && y->queue == x->queue && y->rank > x->rank;
	}
	x->rank = 0;
}

static inline void fds_link(struct fds_world *w, struct fds_watch *x)
{
	RULE_ASSERT(x->used && w->queue[x->queue].kind == FDS_EPOLL);
	if (!x->rank)
		x->rank = fds_last_rank(w, x->queue) + 1;
}

static inline void fds_end_watch(struct fds_world *w, uint32_t i)
{
	fds_unlink(w, &w->watch[i]);
	w->watch[i] = (struct fds_watch){0};
}

/*
 * Something happened to a queue (enum fds_ready): whoever watches it for that looks at it again.
 * Who takes from it hears of what came, who puts into it of the room that there is.
 */
static inline void fds_notify(struct fds_world *w, uint32_t q, uint32_t what)
{
	for (uint32_t i = 0; i < w->watches; i++) {
		struct fds_watch *x = &w->watch[i];
		const struct fds_file *f = &w->file[x->file];
		uint32_t heard = 0;

		if (f->in == q)
			heard |= what & ~(uint32_t)(FDS_OUT | FDS_WRNORM);
		if (f->out == q)
			heard |= what & ~(uint32_t)(FDS_IN | FDS_RDNORM);
		if (what == ~0u && (f->in == q || f->out == q))
			heard = what;
		if (x->used && (x->events & ~FDS_OPTIONS) && (x->events & heard & ~FDS_OPTIONS))
			fds_link(w, x);
	}
}

static inline struct fds_watch *fds_find_watch(struct fds_world *w, uint8_t queue, uint8_t file,
					       int number)
{
	for (uint32_t i = 0; i < w->watches; i++)
		if (w->watch[i].used && w->watch[i].queue == queue && w->watch[i].file == file &&
		    w->watch[i].number == number)
			return &w->watch[i];
	return NULL;
}

static inline struct fds_watch *fds_new_watch(struct fds_world *w)
{
	for (uint32_t i = 0; i < FDS_WATCHES; i++) {
		if (w->watch[i].used)
			continue;
		w->watches = i >= w->watches ? i + 1 : w->watches;
		return &w->watch[i];
	}
	return NULL;
}

enum fds_ctl { FDS_ADD = 1, FDS_DELETE, FDS_MODIFY };

static inline void fds_set_watch(struct fds_world *w, const struct fds_call *c, struct fds_watch *x,
				 struct fds_watch now, struct fds_answer *a)
{
	if (!x) {
		a->result = FDS_FULL;
		return;
	}
	now.events = (uint32_t)c->value | FDS_ERR | FDS_HUP;
	now.data = c->extra;
	now.rank = x->used ? x->rank : 0;
	*x = now;
	if (fds_ready(w, x->file) & (x->events | FDS_ERR | FDS_HUP) & ~FDS_OPTIONS)
		fds_link(w, x);
	a->result = 0;
}

/* The caller knows that c->fd is modelled. */
static inline void fds_ctl(struct fds_world *w, const struct fds_call *c, struct fds_answer *a)
{
	struct fds_watch now = {.queue = w->file[w->number[c->fd] - 1].in, .used = 1};
	uint8_t target = (uint32_t)c->to < FDS_NUMBERS ? w->number[c->to] : 0;
	uint32_t operation = (uint32_t)(c->value >> 32);
	struct fds_watch *x;

	if (!target || target == FDS_REAL) {
		a->result = target ? FDS_OUTSIDE : -EBADF;
		return;
	}
	now.file = (uint8_t)(target - 1);
	now.number = (uint8_t)c->to;
	if (now.queue == FDS_NONE || w->queue[now.queue].kind != FDS_EPOLL || c->fd == c->to) {
		a->result = -EINVAL;
		return;
	}
	x = fds_find_watch(w, now.queue, now.file, c->to);
	if (operation == FDS_ADD && x) {
		a->result = -EEXIST;
	} else if (operation == FDS_ADD) {
		fds_set_watch(w, c, fds_new_watch(w), now, a);
	} else if (!x) {
		a->result = -ENOENT;
	} else if (operation == FDS_MODIFY) {
		fds_set_watch(w, c, x, now, a);
	} else {
		fds_end_watch(w, (uint32_t)(x - w->watch));
		a->result = 0;
		while (w->watches && !w->watch[w->watches - 1].used)
			w->watches--;
	}
}

static inline struct fds_watch *fds_with_rank(struct fds_world *w, uint8_t queue, uint32_t rank)
{
	for (uint32_t i = 0; i < w->watches; i++)
		if (w->watch[i].used && w->watch[i].queue == queue && w->watch[i].rank == rank)
			return &w->watch[i];
	return NULL;
}

/* Reports one; it stays in the list, at its end, unless it is asked for by edges or once. */
static inline void fds_report(struct fds_world *w, struct fds_watch *x, uint32_t ready,
			      struct fds_answer *a)
{
	struct fds_ready_event e = {ready, x->data};

	__builtin_memcpy(a->bytes + a->n, &e, sizeof(e));
	a->n += (uint32_t)sizeof(e);
	a->result++;
	fds_unlink(w, x);
	if (x->events & FDS_ONESHOT)
		x->events &= FDS_OPTIONS;
	else if (!(x->events & FDS_EDGE))
		fds_link(w, x);
}

static inline int fds_any_ready(struct fds_world *w, uint8_t queue)
{
	for (uint32_t i = 0; i < w->watches; i++) {
		const struct fds_watch *x = &w->watch[i];

		if (x->used && x->queue == queue && x->rank &&
		    (fds_ready(w, x->file) & (x->events | FDS_ERR | FDS_HUP) & ~FDS_OPTIONS))
			return 1;
	}
	return 0;
}

static inline void fds_wait(struct fds_world *w, const struct fds_call *c, struct fds_answer *a)
{
	uint8_t queue = w->file[w->number[c->fd] - 1].in;
	uint32_t left;

	if (queue == FDS_NONE || w->queue[queue].kind != FDS_EPOLL || (int32_t)c->value <= 0) {
		a->result = -EINVAL;
		return;
	}
	a->result = 0;
	if (!fds_any_ready(w, queue)) {
		a->result = c->flags & FDS_NOWAIT ? 0 : FDS_BLOCKS;
		return;
	}
	/* Each one that is in the list now is looked at once; all move up as the first leave. */
	for (left = fds_last_rank(w, queue); left && a->result < (int64_t)c->value; left--) {
		struct fds_watch *x = fds_with_rank(w, queue, 1);
		uint32_t wanted, ready;

		RULE_ASSERT(x != NULL); /* ranks have no gaps */
		wanted = (x->events | FDS_ERR | FDS_HUP) & ~FDS_OPTIONS;
		ready = x->events & ~FDS_OPTIONS ? fds_ready(w, x->file) & wanted : 0;
		if (ready)
			fds_report(w, x, ready, a);
		else
			fds_unlink(w, x);
	}
}

#endif
