#include "record/paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* ---- tables ---- */

static bool in_order(const struct record_path_unit *u)
{
	for (uint32_t i = 1; i < u->start_count; i++)
		if (u->starts[i].base <= u->starts[i - 1].base)
			return false;
	for (uint32_t i = 1; i < u->row_count; i++)
		if (u->rows[i].point <= u->rows[i - 1].point)
			return false;
	return true;
}

static int parse_unit(struct record_path_tables *t, const char *bytes, size_t n, size_t *used,
		      struct err *e)
{
	struct record_paths head;
	struct record_path_unit u;
	size_t starts, rows;

	if (n < sizeof(head))
		return err_set(e, ERR_FORMAT, "its table of paths is cut");
	memcpy(&head, bytes, sizeof(head));
	starts = head.starts * sizeof(*u.starts);
	rows = head.rows * sizeof(*u.rows);
	if (head.magic != RECORD_PATHS_MAGIC || starts > n - sizeof(head) ||
	    rows > n - sizeof(head) - starts)
		return err_set(e, ERR_FORMAT, "its table of paths is damaged");
	u = (struct record_path_unit){head.unit, head.starts, head.rows, xmalloc(starts + 1),
				      xmalloc(rows + 1)};
	memcpy(u.starts, bytes + sizeof(head), starts);
	memcpy(u.rows, bytes + sizeof(head) + starts, rows);
	vec_push(t, u);
	*used = sizeof(head) + starts + rows;
	return in_order(&u) ? 0 : err_set(e, ERR_FORMAT, "its table of paths is not in order");
}

int record_paths_parse(struct record_path_tables *t, const char *bytes, size_t n, struct err *e)
{
	size_t used = 0;
	int rc = 0;

	for (size_t at = 0; at < n && !rc; at += used)
		rc = parse_unit(t, bytes + at, n - at, &used, e);
	return rc;
}

int record_paths_read(struct record_path_tables *t, const struct trace_elf *elf, struct err *e)
{
	struct trace_elf_section s;
	int rc = trace_elf_read(elf, HEDDLE_PATHS_SECTION, &s, e);

	if (rc)
		return rc == ERR_NOT_FOUND ? 0 : rc;
	rc = record_paths_parse(t, s.contents, s.bytes, e);
	free(s.contents);
	return rc;
}

void record_paths_free(struct record_path_tables *t)
{
	for (size_t i = 0; i < t->count; i++) {
		free(t->items[i].starts);
		free(t->items[i].rows);
	}
	vec_free(t);
}

static const struct record_path_unit *find_unit(const struct record_path_tables *t, uint32_t unit)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->items[i].unit == unit)
			return &t->items[i];
	return NULL;
}

/* The last start whose base is not above the number; NULL when there is none. */
static const struct record_path_start *find_start(const struct record_path_unit *u, uint32_t number)
{
	uint32_t low = 0, high = u->start_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (u->starts[middle].base <= number)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &u->starts[low - 1] : NULL;
}

static const struct record_path_row *find_row(const struct record_path_unit *u, uint32_t point)
{
	uint32_t low = 0, high = u->row_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (u->rows[middle].point == point)
			return &u->rows[middle];
		if (u->rows[middle].point < point)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* ---- entries ---- */

static void push_number(struct trace_task *t, uint64_t value, unsigned bits)
{
	while (bits--)
		trace_task_push(t, value >> bits & 1);
}

static void push_way(struct trace_task *t, const struct record_path_row *row, uint32_t way)
{
	/* A branch has its first successor when its condition holds. */
	if (row->kind == RECORD_WAY_BIT)
		trace_task_push(t, way == 0);
	else
		push_number(t, way, record_width(row->ways));
}

/* False when the number is of no path. */
static bool push_path(const struct record_path_unit *u, uint32_t number, struct trace_task *out)
{
	const struct record_path_start *start = find_start(u, number);
	uint32_t point, steps = 0;

	if (!start)
		return false;
	number -= start->base;
	for (point = start->point; point != RECORD_NO_POINT; steps++) {
		const struct record_path_row *row = find_row(u, point);
		uint32_t way;

		/* A path meets no point twice. */
		if (!row || steps > u->row_count)
			return false;
		way = row->second ? number >= row->second : number;
		if (way >= row->ways)
			return false;
		push_way(out, row, way);
		number = row->second ? number - (way ? row->second : 0) : 0;
		point = row->second ? row->next[way] : RECORD_NO_POINT;
	}
	return number == 0;
}

static bool push_entry(const struct record_path_tables *t, uint64_t entry, struct trace_task *out)
{
	uint32_t unit = (uint32_t)(entry >> 32) & 0x7fffffff, number = (uint32_t)entry;
	const struct record_path_unit *u;

	if (!unit) {
		push_number(out, number == UINT32_MAX ? RECORD_TARGET_OUTSIDE : number - 1,
			    RECORD_TARGET_BITS);
		return number != 0;
	}
	u = find_unit(t, unit);
	return u && push_path(u, number, out);
}

/* ---- streams ---- */

/* By task: bits after so many entries. */
struct places {
	VEC_FIELDS(uint64_t);
};

static uint64_t entry_at(const struct trace_task *t, uint64_t at)
{
	uint64_t entry = 0;

	for (unsigned k = 0; k < RECORD_WORD_BITS; k++)
		entry = entry << 1 | trace_task_bit(t, at + k);
	return entry;
}

static void cut(struct trace_task *t, uint64_t bits)
{
	t->bits = bits;
	if (bits % 8)
		t->stream[bits / 8] &= (uint8_t)((1u << bits % 8) - 1);
}

/* False: not everything could be translated. */
static bool translate_task(const struct record_path_tables *t, struct trace_task *task,
			   struct places *places)
{
	struct trace_task fresh = {.bits = 0};
	bool whole = true;

	vec_push(places, 0);
	for (uint64_t at = 0; task->bits - at >= RECORD_WORD_BITS && whole;
	     at += RECORD_WORD_BITS) {
		uint64_t before = fresh.bits;

		whole = push_entry(t, entry_at(task, at), &fresh);
		if (!whole)
			cut(&fresh, before);
		vec_push(places, fresh.bits);
	}
	free(task->stream);
	task->stream = fresh.stream;
	task->bits = fresh.bits;
	return whole;
}

static uint64_t place(const struct places *p, uint64_t bits)
{
	uint64_t entry = bits / RECORD_WORD_BITS;

	return p->items[entry < p->count ? entry : p->count - 1];
}

static void move_places(struct trace_task *t, const struct places *own,
			const struct places *creator)
{
	for (size_t i = 0; i < t->stamps.count; i++)
		t->stamps.items[i].bits = place(own, t->stamps.items[i].bits);
	for (size_t i = 0; i < t->inputs.count; i++)
		t->inputs.items[i].head.bits = place(own, t->inputs.items[i].head.bits);
	if (t->row.state == RECORD_THREAD_HANDLER)
		t->row.position = place(creator, t->row.position);
}

void record_paths_translate(const struct record_path_tables *t, struct trace_recording *r)
{
	struct places *all = xcalloc(r->tasks.count + 1, sizeof(*all));

	for (size_t i = 0; i < r->tasks.count; i++)
		if (!translate_task(t, &r->tasks.items[i], &all[i]))
			vec_push(&r->notes,
				 xasprintf("thread %zu: an entry is no path of this program; "
					   "what follows it is left out",
					   i));
	for (size_t i = 0; i < r->tasks.count; i++) {
		uint32_t creator = r->tasks.items[i].row.creator;

		move_places(&r->tasks.items[i], &all[i],
			    &all[creator < r->tasks.count ? creator : 0]);
	}
	for (size_t i = 0; i < r->tasks.count; i++)
		vec_free(&all[i]);
	free(all);
}
