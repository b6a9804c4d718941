/* What calls do to the world of fds.h.  fds_do() is the entry. */
#ifndef HEDDLE_WIRE_FDS_RULES_H
#define HEDDLE_WIRE_FDS_RULES_H

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

/* ---- the rest ---- */

static inline int fds_is_socket(const struct fds_world *w, const struct fds_file *f)
{
	uint8_t kind = w->queue[f->in != FDS_NONE ? f->in : f->out].kind;

	return kind == FDS_STREAM || kind == FDS_SEQUENCE || kind == FDS_DATAGRAM;
}

static inline void fds_shutdown(struct fds_world *w, const struct fds_call *c, struct fds_answer *a)
{
	struct fds_file *f = &w->file[w->number[c->fd] - 1];

	a->result = 0;
	if (c->value & FDS_SHUT_IN)
		w->queue[f->in].shut |= FDS_SHUT_IN;
	if (c->value & FDS_SHUT_OUT)
		w->queue[f->out].shut |= FDS_SHUT_OUT;
	/* The other end of a connection hears of it; of datagram sockets only this one. */
	for (uint32_t i = 0; i < w->watches; i++) {
		const struct fds_file *on = &w->file[w->watch[i].file];

		if (w->watch[i].used && (w->watch[i].events & ~FDS_OPTIONS) &&
		    (on == f || (on->in == f->out && w->queue[f->in].kind != FDS_DATAGRAM)))
			fds_link(w, &w->watch[i]);
	}
}

static inline void fds_look(struct fds_world *w, const struct fds_call *c, struct fds_answer *a)
{
	struct fds_file *f = &w->file[w->number[c->fd] - 1];
	uint32_t length = 0;

	if (f->in == FDS_NONE || w->queue[f->in].kind >= FDS_COUNTER) {
		a->result = f->in == FDS_NONE ? (int64_t)w->queue[f->out].bytes : -ENOTTY;
		return;
	}
	if (w->queue[f->in].messages)
		__builtin_memcpy(&length, w->bytes + fds_content_at(w, f->in), 4);
	a->result = w->queue[f->in].messages ? length : w->queue[f->in].bytes;
}

static inline void fds_arm(struct fds_world *w, const struct fds_call *c, struct fds_answer *a)
{
	struct fds_file *f = &w->file[w->number[c->fd] - 1];

	a->result = 0;
	if (f->in == FDS_NONE || w->queue[f->in].kind != FDS_TIMER) {
		a->result = -EINVAL;
	} else if (c->op == FDS_DO_ARM) {
		w->queue[f->in].count = 0;
	} else {
		w->queue[f->in].count += c->value;
		fds_notify(w, f->in, FDS_IN | FDS_RDNORM);
	}
}

static inline void fds_flags(struct fds_world *w, const struct fds_call *c, struct fds_answer *a)
{
	struct fds_file *f = &w->file[w->number[c->fd] - 1];
	uint64_t bit = UINT64_C(1) << c->fd % 64;

	a->result = 0;
	if (c->op == FDS_DO_GETFL)
		a->result = f->flags | (f->in == FDS_NONE ? 2u : f->out == FDS_NONE ? 0u : 4u);
	else if (c->op == FDS_DO_SETFL)
		f->flags = c->flags & FDS_NONBLOCK;
	else if (c->op == FDS_DO_GETFD)
		a->result = (w->cloexec[c->fd / 64] & bit) != 0;
	else
		fds_set_cloexec(w, (uint32_t)c->fd, c->value != 0);
}

/* Calls about one modelled descriptor. */
static inline void fds_do_file(struct fds_world *w, const struct fds_call *c,
			       const unsigned char *payload, struct fds_answer *a)
{
	switch (c->op) {
	case FDS_DO_DUP:
	case FDS_DO_DUP2:
		fds_dup(w, c, a);
		break;
	case FDS_DO_GET:
		fds_get(w, c, a);
		break;
	case FDS_DO_PUT:
		fds_put(w, c, payload, a);
		break;
	case FDS_DO_SHUTDOWN:
		fds_shutdown(w, c, a);
		break;
	case FDS_DO_LOOK:
		fds_look(w, c, a);
		break;
	case FDS_DO_CTL:
		fds_ctl(w, c, a);
		break;
	case FDS_DO_WAIT:
		fds_wait(w, c, a);
		break;
	case FDS_DO_ARM:
	case FDS_DO_FIRE:
		fds_arm(w, c, a);
		break;
	default:
		fds_flags(w, c, a);
	}
}

/*
 * Performs a call, and fills the answer; a->bytes has room for what the call asks for.  When the
 * result is FDS_BLOCKS or FDS_FULL the world is as it was.  A call with numbers out of range is
 * refused with -EBADF.
 */
static inline void fds_do(struct fds_world *w, const struct fds_call *c,
			  const unsigned char *payload, struct fds_answer *a)
{
	uint8_t number = (uint32_t)c->fd < FDS_NUMBERS ? w->number[c->fd] : 0;

	a->numbers[0] = a->numbers[1] = -1;
	a->n = 0;
	a->result = -EBADF;
	switch (c->op) {
	case FDS_DO_PIPE:
	case FDS_DO_PAIR:
		fds_make_pair(w, c, a);
		return;
	case FDS_DO_COUNTER:
	case FDS_DO_TIMER:
	case FDS_DO_EPOLL:
		fds_make_one(w, c, a);
		return;
	case FDS_DO_POLL:
		fds_poll(w, c, payload, a);
		return;
	default:
		break;
	}
	if ((uint32_t)c->fd >= FDS_NUMBERS)
		return;
	if (c->op == FDS_DO_CLAIM)
		fds_claim(w, c, a);
	else if (c->op == FDS_DO_CLOSE)
		fds_close(w, c, a);
	else if (number == FDS_REAL || (!number && fds_taken(w, c, (uint32_t)c->fd)))
		a->result = FDS_OUTSIDE;
	else if (number && (c->flags & FDS_SOCKET) && !fds_is_socket(w, &w->file[number - 1]))
		a->result = -ENOTSOCK;
	else if (number)
		fds_do_file(w, c, payload, a);
}

#endif
