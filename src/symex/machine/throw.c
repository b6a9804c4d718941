/*
 * Exceptions of C++ along the path.
 *
 * Two phases, as the ABI wants: look for a handler up the stack, and only when there is one clean
 * up on the way to it.  Objects thrown are heap blocks that the model of __cxa_allocate_exception
 * made, with the type in front of them.
 */
#include <string.h>

#include "symex/machine/machine.h"
#include "symex/machine/throw.h"
#include "wire/ctl.h"

#define MAX_DEPTH 32

static uint64_t word_at(struct machine_thread *t, uint64_t addr)
{
	uint64_t value = 0;
	expr_id e;

	return mem_load(t->space, addr, 8, &value, &e) && !e ? value : 0;
}

/* Which of the three kinds of class its type information is of: by the table it points to. */
static const char *class_kind(struct machine *m, struct machine_thread *t, uint64_t type)
{
	const struct program_global *g = program_global_at(m->p, word_at(t, type) - 16);

	return g ? g->name : "";
}

/* Type information that lies in the library has no contents here: who is derived from whom. */
static const char *parent_of(const char *type)
{
	static const char *const rows[][2] = {
		{"_ZTISt13runtime_error", "_ZTISt9exception"},
		{"_ZTISt11logic_error", "_ZTISt9exception"},
		{"_ZTISt9bad_alloc", "_ZTISt9exception"},
		{"_ZTISt8bad_cast", "_ZTISt9exception"},
		{"_ZTISt17bad_function_call", "_ZTISt9exception"},
		{"_ZTISt12out_of_range", "_ZTISt11logic_error"},
		{"_ZTISt16invalid_argument", "_ZTISt11logic_error"},
		{"_ZTISt12length_error", "_ZTISt11logic_error"},
		{"_ZTISt12domain_error", "_ZTISt11logic_error"},
		{"_ZTISt11range_error", "_ZTISt13runtime_error"},
		{"_ZTISt14overflow_error", "_ZTISt13runtime_error"},
		{"_ZTISt15underflow_error", "_ZTISt13runtime_error"},
		{"_ZTISt12system_error", "_ZTISt13runtime_error"},
		{"_ZTISt12future_error", "_ZTISt11logic_error"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i][0], type))
			return rows[i][1];
	return NULL;
}

static bool is_a_by_name(struct machine *m, uint64_t type, uint64_t base)
{
	const struct program_global *g = program_global_at(m->p, type);
	const struct program_global *b = program_global_at(m->p, base);

	if (!g || g->value || !b)
		return false;
	for (const char *name = g->name; name; name = parent_of(name))
		if (!strcmp(name, b->name))
			return true;
	return false;
}

bool throw_is_a(struct machine *m, struct machine_thread *t, uint64_t type, uint64_t base,
		uint64_t object, uint64_t *where, unsigned depth)
{
	const char *kind = class_kind(m, t, type);
	uint64_t n;

	if (where)
		*where = object;
	if (type == base)
		return true;
	if (depth > MAX_DEPTH || !type)
		return false;
	if (is_a_by_name(m, type, base))
		return true;
	if (strstr(kind, "__si_class_type_info"))
		return throw_is_a(m, t, word_at(t, type + 16), base, object, where, depth + 1);
	if (!strstr(kind, "__vmi_class_type_info"))
		return false;
	n = word_at(t, type + 16) >> 32;
	for (uint64_t i = 0; i < n && i < 64; i++) {
		uint64_t parent = word_at(t, type + 24 + 16 * i);
		int64_t flags = (int64_t)word_at(t, type + 32 + 16 * i), offset = flags >> 8;

		if (flags & 1) /* virtual: the offset lies in the table of the object */
			offset = object ? (int64_t)word_at(t, word_at(t, object) + (uint64_t)offset)
					: 0;
		if (throw_is_a(m, t, parent, base, object ? object + (uint64_t)offset : 0, where,
			       depth + 1))
			return true;
	}
	return false;
}

/* A pointer to something is caught as a pointer to its base, or to anything. */
static bool catches_pointer(struct machine *m, struct machine_thread *t, uint64_t wanted,
			    uint64_t type)
{
	const struct program_global *g;

	if (!strstr(class_kind(m, t, wanted), "__pointer_type_info") ||
	    !strstr(class_kind(m, t, type), "__pointer_type_info"))
		return false;
	g = program_global_at(m->p, word_at(t, wanted + 24));
	if (g && !strcmp(g->name, "_ZTIv"))
		return true;
	return throw_is_a(m, t, word_at(t, type + 24), word_at(t, wanted + 24), 0, NULL, 0);
}

bool throw_catches(struct machine *m, struct machine_thread *t, uint64_t wanted, uint64_t type)
{
	return !wanted || throw_is_a(m, t, type, wanted, 0, NULL, 0) ||
	       catches_pointer(m, t, wanted, type);
}

uint32_t throw_selector(uint64_t type)
{
	/* Any number that is the same for the same type; 0 means cleanup only. */
	return type ? (uint32_t)(type ^ type >> 32) | 1u : 0x7fffffff;
}

/* The clause of the pad that takes the exception: 1 a handler, 0 none. */
static bool handler_in(struct machine *m, struct machine_thread *t, const struct code_pad *pad,
		       uint64_t type, uint32_t *selector)
{
	for (size_t i = 0; i < pad->clauses.count; i++) {
		const struct code_clause *c = &pad->clauses.items[i];
		bool allowed = false;

		if (!c->filter) {
			if (!throw_catches(m, t, c->type, type))
				continue;
			*selector = throw_selector(c->type);
			return true;
		}
		for (size_t k = 0; k < c->allowed.count; k++)
			allowed |= throw_catches(m, t, c->allowed.items[k], type);
		if (allowed)
			continue;
		*selector = (uint32_t)-1;
		return true;
	}
	return false;
}

/* The call a frame stands at, when it may land: its pad. */
static const struct code_pad *pad_of(const struct machine_thread *t, size_t frame)
{
	const struct code_call *c = NULL;

	/* The frame above was called by it; a model in between has the call itself. */
	if (frame + 1 < t->frames.count)
		c = t->frames.items[frame + 1].call;
	if (!c)
		for (size_t i = 0; i < t->models.count; i++)
			if (i >= t->frames.items[frame].model && t->models.items[i].c) {
				c = t->models.items[i].c;
				break;
			}
	if (!c || c->pad == CODE_NO_PAD)
		return NULL;
	return &t->frames.items[frame].code->pads.items[c->pad];
}

static bool has_handler(struct machine *m, struct machine_thread *t, size_t frames, uint64_t type)
{
	uint32_t selector;

	for (size_t i = frames; i-- > 0;) {
		const struct code_pad *pad = pad_of(t, i);

		if (pad && handler_in(m, t, pad, type, &selector))
			return true;
	}
	return false;
}

/* Leaves everything above the frame. */
static void unwind_to(struct machine_thread *t, size_t frame)
{
	while (t->frames.count > frame + 1) {
		struct machine_frame f = vec_pop(&t->frames);

		t->sp = f.sp;
		t->locals.count = f.locals;
	}
	while (t->models.count > t->frames.items[frame].model)
		free(vec_pop(&t->models).data);
}

static bool land(struct machine *m, struct machine_thread *t, size_t frame, uint64_t type)
{
	const struct code_pad *pad = pad_of(t, frame);
	uint32_t selector = 0;

	if (!pad || (!handler_in(m, t, pad, type, &selector) && !pad->cleanup))
		return false;
	unwind_to(t, frame);
	t->selector = selector;
	t->frames.items[frame].pc = pad->target;
	return true;
}

static void go(struct machine *m, struct machine_thread *t, size_t frames, uint64_t object)
{
	uint64_t type = word_at(t, object - THROW_HEADER);

	t->exception = object;
	if (!has_handler(m, t, frames, type)) {
		const struct program_global *g = program_global_at(m->p, type);

		machine_fail(m, t, FAILURE_ABORT, t->last_site, 0,
			     "an exception that nobody catches (%s)", g ? g->name : "?");
		return;
	}
	for (size_t i = frames; i-- > 0;)
		if (land(m, t, i, type))
			return;
}

/* The unwinder looks whether its tables are there: an event of its own. */
static void look_at_tables(struct machine *m, struct machine_thread *t)
{
	if (t->controlled)
		machine_event(m, t, EVENT_ONCE_PASS, t->at_site, ADDR_UNWINDER, 0, 0);
	t->at_site = SYMEX_NONE;
}

void machine_throw(struct machine *m, struct machine_thread *t, uint64_t object, uint64_t type)
{
	(void)mem_store(t->space, object - THROW_HEADER, 8, type, EXPR_NONE);
	look_at_tables(m, t);
	go(m, t, t->frames.count, object);
}

/* From a cleanup: the frame itself is not asked again. */
void machine_resume(struct machine *m, struct machine_thread *t)
{
	uint64_t object = t->exception;
	size_t frames = t->frames.count;

	if (frames < 2 && !t->models.count) {
		machine_fail(m, t, FAILURE_ABORT, t->last_site, 0, "an exception nobody catches");
		return;
	}
	/* The frame's own call is over; callers still stand at theirs. */
	go(m, t, frames - 1, object);
}
