/* What calls do to the world of fds.h.  fds_do() is the entry. */
#ifndef HEDDLE_WIRE_FDS_RULES_H
#define HEDDLE_WIRE_FDS_RULES_H

#include "wire/fds_move.h"

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
