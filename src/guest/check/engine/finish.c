#include "guest/check/engine/finish.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "guest/check/engine/engine.h"
#include "guest/check/engine/outsider.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/os/fmt.h"
#include "guest/check/rec/rec.h"
#include "guest/check/thread.h"

#define NULL_PAGE 65536

void (*finish_export)(void);

static void export_state(enum wire_outcome outcome)
{
	outsider_tell();
	rt_ctl->result.outcome = outcome;
	if (finish_export)
		finish_export();
}

/* Return addresses along the frame pointers, as far as they stay inside the thread's stack. */
static void walk_stack(struct wire_failure *f, uint64_t rbp)
{
	struct engine_slot *s = rt_current->place;

	while (f->stack_depth < WIRE_MAX_STACK && rbp % 8 == 0 && rbp > s->stack_low &&
	       rbp < s->stack_high - 16) {
		uint64_t next = ((uint64_t *)rbp)[0];

		f->stack[f->stack_depth++] = ((uint64_t *)rbp)[1];
		if (next <= rbp)
			break;
		rbp = next;
	}
}

/* On the stack of a thread that is still there: which one's, and where the stack lies. */
static bool describe_stack(struct wire_failure *f)
{
	struct rt_thread *t;

	for (uint32_t tid = 0; (t = thread_by_tid(tid)) != NULL; tid++) {
		const struct engine_slot *s = t->place;

		if (t->state == THREAD_GONE || f->addr < s->stack_low || f->addr >= s->stack_high)
			continue;
		f->object = OBJECT_STACK;
		f->object_base = s->stack_low;
		f->object_size = s->stack_high - s->stack_low;
		f->alloc_tid = tid;
		return true;
	}
	return false;
}

static void describe_object(struct wire_failure *f)
{
	struct heap_block *b;
	bool freed = false;

	f->alloc_site = f->free_site = SITE_NONE;
	f->alloc_tid = f->free_tid = THREAD_NONE;
	if (f->addr < NULL_PAGE) {
		f->object = OBJECT_NULL;
		return;
	}
	if (!heap_owns((void *)f->addr)) {
		if (!describe_stack(f) && rec_in_module(f->addr))
			f->object = OBJECT_GLOBAL;
		return;
	}
	b = heap_block_around(f->addr, &freed);
	if (!b)
		return;
	f->object = freed ? OBJECT_FREED : OBJECT_HEAP;
	f->object_base = (uint64_t)(b + 1);
	f->object_size = b->size;
	f->alloc_site = b->alloc_site;
	f->alloc_tid = b->alloc_tid;
	if (freed) {
		f->free_site = b->free_site;
		f->free_tid = b->free_tid;
	}
}

static struct wire_failure *failure_begin(enum wire_failure_kind kind, uint32_t site,
					  uint64_t addr, uint64_t value)
{
	struct wire_failure *f = &rt_ctl->result.failure;

	memset(f, 0, sizeof(*f));
	f->kind = kind;
	f->tid = rt_current ? rt_current->tid : 0;
	f->site = site == SITE_NONE && rt_current ? rt_current->last_site : site;
	f->addr = addr;
	f->value = value;
	describe_object(f);
	return f;
}

void finish_signal(int number, uint64_t addr, const char *text, uint64_t rip, uint64_t rbp)
{
	struct wire_failure *f = failure_begin(FAILURE_SIGNAL, SITE_NONE, addr, (uint64_t)number);

	fmt_text(f->text, sizeof(f->text), "%s", text);
	f->stack[f->stack_depth++] = rip;
	walk_stack(f, rbp);
	rec_event(EVENT_FAILURE, f->site, addr, FAILURE_SIGNAL, 0);
	export_state(OUTCOME_FAILURE);
}

void rt_fail(enum wire_failure_kind kind, uint32_t site, uint64_t addr, uint64_t value,
	     const char *format, ...)
{
	struct wire_failure *f = failure_begin(kind, site, addr, value);
	va_list args;

	va_start(args, format);
	fmt_vtext(f->text, sizeof(f->text), format, args);
	va_end(args);
	walk_stack(f, (uint64_t)__builtin_frame_address(0));
	rec_event(EVENT_FAILURE, f->site, addr, kind, 0);
	export_state(OUTCOME_FAILURE);
	engine_leave();
}

void finish_outcome(enum wire_outcome outcome, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fmt_vtext(rt_ctl->result.reason, WIRE_NOTE_BYTES, format, args);
	va_end(args);
	export_state(outcome);
	engine_leave();
}

void rt_trouble(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fmt_vtext(rt_ctl->result.reason, WIRE_NOTE_BYTES, format, args);
	va_end(args);
	export_state(OUTCOME_TROUBLE);
	engine_leave();
}

void rt_irreversible(const char *format, ...)
{
	va_list args;

	/* Only a run under control can be abandoned; before it, what happens is in the snapshot. */
	if (!engine_is_reset() || !rt_current)
		return;
	va_start(args, format);
	fmt_vtext(rt_ctl->result.reason, WIRE_NOTE_BYTES, format, args);
	va_end(args);
	export_state(OUTCOME_STEPDOWN);
	engine_leave();
}

void rt_note(const char *format, ...)
{
	char text[WIRE_NOTE_BYTES];
	va_list args;

	if (!rt_ctl)
		return;
	va_start(args, format);
	fmt_vtext(text, sizeof(text), format, args);
	va_end(args);
	for (uint32_t i = 0; i < rt_ctl->note_count && i < WIRE_MAX_NOTES; i++)
		if (strcmp(rt_ctl->notes[i], text) == 0)
			return;
	if (rt_ctl->note_count < WIRE_MAX_NOTES)
		memcpy(rt_ctl->notes[rt_ctl->note_count++], text, sizeof(text));
}

/* Appends the place of a site: " at file.c:12 in function". */
static void add_place(char *text, size_t bytes, uint32_t site)
{
	heddle_site_ref s = rec_site_record(site);
	size_t used = strlen(text);
	const char *file, *slash;

	if (!s || !s->file)
		return;
	file = (const char *)s + s->file;
	slash = strrchr(file, '/');
	fmt_text(text + used, bytes - used, " at %s:%u in %s", slash ? slash + 1 : file, s->line,
		 s->func ? (const char *)s + s->func : "?");
}

void rt_unseen(uint32_t site, const char *format, ...)
{
	struct wire_unseen u = { .text = "" };
	va_list args;

	if (!rt_ctl)
		return;
	va_start(args, format);
	fmt_vtext(u.text, sizeof(u.text), format, args);
	va_end(args);
	add_place(u.text, sizeof(u.text),
		  site == SITE_NONE && rt_current ? rt_current->last_site : site);
	for (uint32_t i = 0; i < rt_ctl->unseen_count && i < WIRE_MAX_UNSEEN; i++)
		if (strcmp(rt_ctl->unseen[i].text, u.text) == 0)
			return;
	if (rt_ctl->unseen_count < WIRE_MAX_UNSEEN)
		rt_ctl->unseen[rt_ctl->unseen_count++] = u;
	else
		rt_ctl->unseen_lost++;
}

void finish_exit(int status)
{
	rt_ctl->result.exit_status = (uint64_t)(uint8_t)status;
	/* What the program printed must reach its descriptors before its memory goes back. */
	if (undo_opaque_seen) {
		rt_inside++;
		fflush(NULL);
		rt_inside--;
	}
	rec_event(EVENT_EXIT, rt_current->last_site, 0, (uint64_t)(uint8_t)status, 0);
	if (status != 0 && (rt_ctl->job.flags & JOB_EXIT_IS_FAILURE))
		rt_fail(FAILURE_EXIT, SITE_NONE, 0, (uint64_t)(uint8_t)status, "exit status %d",
			(int)(uint8_t)status);
	export_state(OUTCOME_CLEAN);
	engine_leave();
}
