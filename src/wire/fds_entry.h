/* Files and queues of fds.h: made, named, copied, closed. */
#ifndef HEDDLE_WIRE_FDS_ENTRY_H
#define HEDDLE_WIRE_FDS_ENTRY_H

#include "wire/fds_ready.h"

/* ---- entries ---- */

static inline int fds_new_file(struct fds_world *w, uint8_t in, uint8_t out, uint32_t flags)
{
	for (uint32_t i = 0; i < FDS_FILES; i++) {
		if (w->file[i].used)
			continue;
		w->file[i] = (struct fds_file){1, in, out, 0, flags & FDS_NONBLOCK};
		w->files = i >= w->files ? i + 1 : w->files;
		return (int)i;
	}
	return -1;
}

static inline int fds_new_queue(struct fds_world *w, enum fds_kind kind, uint32_t room)
{
	for (uint32_t i = 0; i < FDS_QUEUES; i++) {
		if (w->queue[i].kind != FDS_FREE)
			continue;
		w->queue[i] = (struct fds_queue){.kind = (uint8_t)kind, .room = room};
		w->queues = i >= w->queues ? i + 1 : w->queues;
		return (int)i;
	}
	return -1;
}

static inline int fds_taken(const struct fds_world *w, const struct fds_call *c, uint32_t number)
{
	uint64_t bit = UINT64_C(1) << number % 64;

	return w->number[number] != 0 ||
	       ((c->taken[number / 64] & bit) && !(w->gone[number / 64] & bit));
}

/* The lowest free number from `from' on; -1 when there is none. */
static inline int fds_free_number(const struct fds_world *w, const struct fds_call *c,
				  uint32_t from)
{
	for (uint32_t i = from; i < FDS_NUMBERS; i++)
		if (!fds_taken(w, c, i))
			return (int)i;
	return -1;
}

static inline void fds_set_cloexec(struct fds_world *w, uint32_t number, int on)
{
	uint64_t bit = UINT64_C(1) << number % 64;

	w->cloexec[number / 64] =
		on ? w->cloexec[number / 64] | bit : w->cloexec[number / 64] & ~bit;
}

/* Gives a file its number; the caller knows that there is one. */
static inline int fds_name(struct fds_world *w, const struct fds_call *c, int file)
{
	int number = fds_free_number(w, c, 0);

	RULE_ASSERT(number >= 0 && file >= 0 && w->file[file].used);
	w->number[number] = (uint8_t)(file + 1);
	fds_set_cloexec(w, (uint32_t)number, c->flags & FDS_CLOEXEC);
	return number;
}

/* Whether so many of each are left. */
static inline int fds_has_room(const struct fds_world *w, const struct fds_call *c, int queues,
			       int files)
{
	int numbers = files;

	for (uint32_t i = 0; i < FDS_QUEUES; i++)
		queues -= w->queue[i].kind == FDS_FREE;
	for (uint32_t i = 0; i < FDS_FILES; i++)
		files -= !w->file[i].used;
	for (uint32_t i = 0; i < FDS_NUMBERS; i++)
		numbers -= !fds_taken(w, c, i);
	return queues <= 0 && files <= 0 && numbers <= 0;
}

/* ---- making ---- */

static inline void fds_make_pair(struct fds_world *w, const struct fds_call *c,
				 struct fds_answer *a)
{
	enum fds_kind kind = c->op == FDS_DO_PIPE ? FDS_PIPE : (enum fds_kind)c->value;
	int one, two;

	if (!fds_has_room(w, c, 2, 2)) {
		a->result = FDS_FULL;
		return;
	}
	one = fds_new_queue(w, kind, kind == FDS_PIPE ? FDS_PIPE_ROOM : FDS_SOCKET_ROOM);
	two = kind == FDS_PIPE ? FDS_NONE : fds_new_queue(w, kind, FDS_SOCKET_ROOM);
	a->numbers[0] = fds_name(w, c, fds_new_file(w, (uint8_t)one, (uint8_t)two, c->flags));
	a->numbers[1] = fds_name(w, c, fds_new_file(w, (uint8_t)two, (uint8_t)one, c->flags));
	a->result = 0;
}

static inline void fds_make_one(struct fds_world *w, const struct fds_call *c, struct fds_answer *a)
{
	enum fds_kind kind = c->op == FDS_DO_TIMER   ? FDS_TIMER
			     : c->op == FDS_DO_EPOLL ? FDS_EPOLL
						     : (enum fds_kind)c->extra;
	uint8_t queue, out;

	if (!fds_has_room(w, c, 1, 1)) {
		a->result = FDS_FULL;
		return;
	}
	queue = (uint8_t)fds_new_queue(w, kind, 0);
	out = kind == FDS_COUNTER || kind == FDS_TOKENS ? queue : FDS_NONE;
	if (out == queue)
		w->queue[queue].count = c->value;
	a->result = fds_name(w, c, fds_new_file(w, queue, out, c->flags));
}

/* ---- closing ---- */

static inline void fds_drop_content(struct fds_world *w, uint32_t q, uint32_t n)
{
	uint32_t at = fds_content_at(w, q);

	RULE_ASSERT(n <= w->queue[q].bytes);
	__builtin_memmove(w->bytes + at, w->bytes + at + n, w->content - at - n);
	w->content -= n;
	w->queue[q].bytes -= n;
}

static inline void fds_trim(struct fds_world *w)
{
	while (w->files && !w->file[w->files - 1].used)
		w->files--;
	while (w->queues && w->queue[w->queues - 1].kind == FDS_FREE)
		w->queues--;
	while (w->watches && !w->watch[w->watches - 1].used)
		w->watches--;
}

static inline void fds_end_queue(struct fds_world *w, uint32_t q)
{
	fds_drop_content(w, q, w->queue[q].bytes);
	w->queue[q] = (struct fds_queue){.kind = FDS_FREE};
}

/* A file is closed: nobody takes from one queue, or puts into the other, by it any more. */
static inline void fds_end_file(struct fds_world *w, uint32_t f)
{
	uint8_t in = w->file[f].in, out = w->file[f].out;

	RULE_ASSERT(w->file[f].used && (in != FDS_NONE || out != FDS_NONE));
	for (uint32_t i = 0; i < w->watches; i++)
		if (w->watch[i].used && (w->watch[i].file == f || w->watch[i].queue == in))
			fds_end_watch(w, i);
	w->file[f] = (struct fds_file){0};
	/* Who has not read everything resets the connection. */
	if (in != FDS_NONE && out != FDS_NONE && in != out && w->queue[in].bytes &&
	    w->queue[in].kind != FDS_DATAGRAM)
		w->queue[out].shut |= FDS_RESET;
	if (in != FDS_NONE && fds_takers(w, in) + fds_putters(w, in) == 0)
		fds_end_queue(w, in);
	if (out != FDS_NONE && out != in && fds_takers(w, out) + fds_putters(w, out) == 0)
		fds_end_queue(w, out);
	/* What is left of the connection can be noticed by the other end. */
	if (in != FDS_NONE && w->queue[in].kind != FDS_FREE)
		fds_notify(w, in, ~0u);
	if (out != FDS_NONE && w->queue[out].kind != FDS_FREE)
		fds_notify(w, out, ~0u);
	fds_trim(w);
}

static inline void fds_close_number(struct fds_world *w, uint32_t number)
{
	uint32_t f = (uint32_t)w->number[number] - 1;

	RULE_ASSERT(w->number[number] && w->number[number] != FDS_REAL);
	w->number[number] = 0;
	fds_set_cloexec(w, number, 0);
	for (uint32_t i = 0; i < FDS_NUMBERS; i++)
		if (w->number[i] == f + 1)
			return;
	fds_end_file(w, f);
}

static inline void fds_close(struct fds_world *w, const struct fds_call *c, struct fds_answer *a)
{
	uint32_t number = (uint32_t)c->fd;

	a->result = 0;
	if (w->number[number] == FDS_REAL)
		w->number[number] = 0;
	else if (w->number[number])
		fds_close_number(w, number);
	else if (fds_taken(w, c, number))
		w->gone[number / 64] |= UINT64_C(1) << number % 64;
	else
		a->result = -EBADF;
}

static inline void fds_claim(struct fds_world *w, const struct fds_call *c, struct fds_answer *a)
{
	/* Numbers from before the run are not counted here. */
	w->number[c->fd] = FDS_REAL;
	a->result = c->fd;
}

static inline void fds_dup(struct fds_world *w, const struct fds_call *c, struct fds_answer *a)
{
	int to = c->op == FDS_DO_DUP2 ? c->to : fds_free_number(w, c, (uint32_t)c->value);
	uint8_t file = w->number[c->fd];

	if (to < 0) {
		a->result = FDS_FULL;
		return;
	}
	a->result = to;
	if (to == c->fd)
		return;
	if (w->number[to] && w->number[to] != FDS_REAL)
		fds_close_number(w, (uint32_t)to);
	w->number[to] = file;
	if (c->taken[to / 64] >> to % 64 & 1)
		w->gone[to / 64] |= UINT64_C(1) << to % 64;
	fds_set_cloexec(w, (uint32_t)to, c->flags & FDS_CLOEXEC);
}

#endif
