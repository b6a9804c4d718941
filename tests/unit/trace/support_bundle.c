#include "support_bundle.h"

#include <dirent.h>

#include "unit.h"

enum { SITE_CREATE, SITE_LOCK_A, SITE_LOCK_B, SITE_READ, SITE_WRITE, SITES };

#define LOCK_A UINT64_C(0x555500004040)
#define LOCK_B UINT64_C(0x555500004080)
#define BALANCE UINT64_C(0x555500004010)

static void fill_file_id(struct trace_file_id *id, const char *path)
{
	id->path = xstrdup(path);
	id->bytes = 16384;
	id->hash = UINT64_C(0x1122334455667788);
	id->build_id_bytes = 20;
	for (unsigned i = 0; i < 20; i++)
		id->build_id[i] = (uint8_t)(i * 7);
}

static void fill_meta(struct trace_meta *m)
{
	struct trace_module module = {
		.load_bias = UINT64_C(0x555500000000), .first_site = 0, .sites_count = SITES};

	m->tool_version = xstrdup("0.1.0");
	m->wire_version = 1;
	m->strategy = STRATEGY_PCT;
	m->model = MODEL_TSO;
	m->engine = ENGINE_RESET;
	m->flags = JOB_EVENTS;
	m->bound = 3;
	m->seed = 12345;
	m->max_steps = 100000;
	m->expected_steps = 50;
	m->program = xstrdup("/home/user/bank");
	m->cwd = xstrdup("/home/user");
	vec_push(&m->argv, xstrdup("./bank"));
	vec_push(&m->argv, xstrdup("two words"));
	vec_push(&m->environ, xstrdup("LANG=C"));
	fill_file_id(&m->executable, "/home/user/bank");
	fill_file_id(&module.file, "/home/user/bank");
	vec_push(&m->modules, module);
}

static void fill_sites(struct trace_sites *t)
{
	static const struct trace_site sites[SITES] = {
		{SITE_CREATE, "bank.c", "/home/user", "main", "pthread_create", 40, 0, 77, 2,
		 EVENT_THREAD_CREATE, 0},
		{SITE_LOCK_A, "bank.c", "/home/user", "transfer", "a", 12, 0, 77, 2, EVENT_LOCK, 0},
		{SITE_LOCK_B, "bank.c", "/home/user", "transfer", "b", 13, 0, 77, 2, EVENT_LOCK, 0},
		{SITE_READ, "bank.c", "/home/user", "transfer", "balance", 14, 0, 77, 12,
		 EVENT_READ, 4},
		{SITE_WRITE, "bank.c", "/home/user", "transfer", "balance", 14, SITE_VOLATILE, 77,
		 10, EVENT_WRITE, 4},
	};

	for (unsigned i = 0; i < SITES; i++)
		vec_push(t, sites[i]);
}

static void fill_symbols(struct trace_symbols *t)
{
	static const struct trace_symbol symbols[] = {
		{UINT64_C(0x555500001130), 0x80, "transfer", true},
		{BALANCE, 4, "balance", false},
		{LOCK_A, 40, "a", false},
		{LOCK_B, 40, "b", false},
	};

	for (unsigned i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		struct trace_symbol s = symbols[i];

		s.name = xstrdup(s.name);
		vec_push(t, s);
	}
}

static void fill_events(struct trace_bundle *b)
{
	/* addr, value, site, tix, aux, tid, kind, size */
	static const struct wire_event events[] = {
		{0, 0, SITE_NONE, 0, THREAD_NONE, 0, EVENT_THREAD_BEGIN, 0},
		{0, 0, SITE_CREATE, 1, 1, 0, EVENT_THREAD_CREATE, 0},
		{0, 0, SITE_CREATE, 2, 2, 0, EVENT_THREAD_CREATE, 0},
		{0, 0, SITE_NONE, 0, 0, 1, EVENT_THREAD_BEGIN, 0},
		{LOCK_A, 0, SITE_LOCK_A, 1, 1, 1, EVENT_LOCK, 0},
		{BALANCE, 100, SITE_READ, 2, 0, 1, EVENT_READ, 4},
		{BALANCE, 90, SITE_WRITE, 3, 0, 1, EVENT_ISSUE, 4},
		{0, 0, SITE_NONE, 0, 0, 2, EVENT_THREAD_BEGIN, 0},
		{BALANCE, 90, SITE_WRITE, 3, 0, 1, EVENT_WRITE, 4},
		{LOCK_B, 0, SITE_LOCK_B, 1, 1, 2, EVENT_LOCK, 0},
		{0, FAILURE_DEADLOCK, SITE_LOCK_A, 2, 0, 2, EVENT_FAILURE, 0},
	};

	for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		vec_push(&b->events, events[i]);
}

static void fill_schedule(struct trace_bundle *b)
{
	static const struct wire_choice choices[] = {
		{CHOICE_RUN, 0, 0, 3},	   {CHOICE_RUN, 0, 1, 4}, {CHOICE_RUN, 0, 2, 1},
		{CHOICE_FLUSH, 0, 1, 0},   {CHOICE_RUN, 0, 2, 1}, {CHOICE_PICK, 0, 2, 1},
		{CHOICE_TIMEOUT, 0, 0, 0},
	};

	for (unsigned i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		vec_push(&b->schedule, choices[i]);
}

static void fill_threads(struct trace_bundle *b)
{
	struct wire_thread main_thread = {.tid = 0,
					  .parent = THREAD_NONE,
					  .state = THREAD_BLOCKED,
					  .pending_kind = EVENT_THREAD_JOIN,
					  .pending_site = SITE_NONE,
					  .create_site = SITE_NONE,
					  .waits_for = 1,
					  .events = 3,
					  .name = "bank"};

	vec_push(&b->threads, main_thread);
	for (uint16_t tid = 1; tid <= 2; tid++) {
		struct wire_thread t = {.tid = tid,
					.parent = 0,
					.state = THREAD_BLOCKED,
					.pending_kind = EVENT_LOCK,
					.held_count = 1,
					.pending_site = tid == 1 ? SITE_LOCK_B : SITE_LOCK_A,
					.create_site = SITE_CREATE,
					.pending_addr = tid == 1 ? LOCK_B : LOCK_A,
					.waits_for = 3u - tid,
					.child_index = tid - 1u,
					.start = UINT64_C(0x555500001130),
					.events = 5};

		t.held[0].addr = tid == 1 ? LOCK_A : LOCK_B;
		t.held[0].site = tid == 1 ? SITE_LOCK_A : SITE_LOCK_B;
		t.held[0].kind = OBJ_MUTEX;
		vec_push(&b->threads, t);
	}
}

static void fill_outcome(struct trace_outcome *o)
{
	o->outcome = OUTCOME_FAILURE;
	o->failure.kind = FAILURE_DEADLOCK;
	o->failure.tid = 2;
	o->failure.site = SITE_LOCK_A;
	o->failure.alloc_site = o->failure.free_site = SITE_NONE;
	o->failure.alloc_tid = o->failure.free_tid = THREAD_NONE;
	o->failure.stack_depth = 2;
	o->failure.stack[0] = UINT64_C(0x555500001150);
	o->failure.stack[1] = UINT64_C(0x555500001190);
	strcpy(o->failure.text, "2 threads wait for each other");
}

void support_bundle_fill(struct trace_bundle *b)
{
	fill_meta(&b->meta);
	fill_sites(&b->sites);
	fill_symbols(&b->symbols);
	fill_events(b);
	fill_schedule(b);
	fill_threads(b);
	fill_outcome(&b->outcome);
	b->counters.runs = 17;
	b->counters.steps = 9;
	b->counters.preemptions = 2;
	b->counters.events = b->events.count;
	vec_push(&b->notes, xstrdup("a call of unknown effect: frobnicate"));
	b->output.out = xstrdup("start\n");
	b->output.out_bytes = 6;
}

static void assert_same_strings(char *const *a, size_t na, char *const *b, size_t nb)
{
	assert_int_equal(na, nb);
	for (size_t i = 0; i < na; i++)
		assert_string_equal(a[i], b[i]);
}

static void assert_same_file_id(const struct trace_file_id *a, const struct trace_file_id *b)
{
	assert_string_equal(a->path, b->path);
	assert_true(a->bytes == b->bytes && a->hash == b->hash);
	assert_int_equal(a->build_id_bytes, b->build_id_bytes);
	assert_memory_equal(a->build_id, b->build_id, sizeof(a->build_id));
}

static void assert_same_meta(const struct trace_meta *a, const struct trace_meta *b)
{
	assert_string_equal(a->tool_version, b->tool_version);
	assert_string_equal(a->program, b->program);
	assert_string_equal(a->cwd, b->cwd);
	assert_true(a->wire_version == b->wire_version && a->strategy == b->strategy &&
		    a->model == b->model && a->engine == b->engine && a->flags == b->flags &&
		    a->bound == b->bound && a->seed == b->seed && a->max_steps == b->max_steps &&
		    a->expected_steps == b->expected_steps);
	assert_same_strings(a->argv.items, a->argv.count, b->argv.items, b->argv.count);
	assert_same_strings(a->environ.items, a->environ.count, b->environ.items, b->environ.count);
	assert_same_file_id(&a->executable, &b->executable);
	assert_int_equal(a->modules.count, b->modules.count);
	for (size_t i = 0; i < a->modules.count; i++) {
		assert_same_file_id(&a->modules.items[i].file, &b->modules.items[i].file);
		assert_true(a->modules.items[i].load_bias == b->modules.items[i].load_bias &&
			    a->modules.items[i].first_site == b->modules.items[i].first_site &&
			    a->modules.items[i].sites_count == b->modules.items[i].sites_count);
	}
}

static void assert_same_sites(const struct trace_sites *a, const struct trace_sites *b)
{
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct trace_site *x = &a->items[i], *y = &b->items[i];

		assert_string_equal(x->file, y->file);
		assert_string_equal(x->dir, y->dir);
		assert_string_equal(x->func, y->func);
		assert_string_equal(x->name, y->name);
		assert_true(x->id == y->id && x->line == y->line && x->flags == y->flags &&
			    x->unit == y->unit && x->column == y->column && x->kind == y->kind &&
			    x->size == y->size);
	}
}

static void assert_same_symbols(const struct trace_symbols *a, const struct trace_symbols *b)
{
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		assert_string_equal(a->items[i].name, b->items[i].name);
		assert_true(a->items[i].addr == b->items[i].addr &&
			    a->items[i].bytes == b->items[i].bytes &&
			    a->items[i].is_function == b->items[i].is_function);
	}
}

#define assert_same_records(a, b, vec)                                                             \
	do {                                                                                       \
		assert_int_equal((a)->vec.count, (b)->vec.count);                                  \
		if ((a)->vec.count)                                                                \
			assert_memory_equal((a)->vec.items, (b)->vec.items,                        \
					    (a)->vec.count * sizeof((a)->vec.items[0]));           \
	} while (0)

void support_bundle_assert_equal(const struct trace_bundle *a, const struct trace_bundle *b)
{
	assert_same_meta(&a->meta, &b->meta);
	assert_same_records(a, b, schedule);
	assert_same_records(a, b, events);
	assert_same_records(a, b, threads);
	assert_memory_equal(&a->outcome, &b->outcome, sizeof(a->outcome));
	assert_memory_equal(&a->counters, &b->counters, sizeof(a->counters));
	assert_same_sites(&a->sites, &b->sites);
	assert_same_symbols(&a->symbols, &b->symbols);
	assert_same_strings(a->notes.items, a->notes.count, b->notes.items, b->notes.count);
	assert_int_equal(a->output.out_bytes, b->output.out_bytes);
	assert_true(!a->output.out == !b->output.out && !a->output.err == !b->output.err);
	if (a->output.out)
		assert_memory_equal(a->output.out, b->output.out, a->output.out_bytes);
}

void support_bundle_copy_dir(const char *from, const char *to)
{
	struct err e = ERR_INIT;
	struct dirent *entry;
	DIR *dir = opendir(from);

	assert_non_null(dir);
	assert_ok(fs_make_dirs(to, &e), e);
	while ((entry = readdir(dir))) {
		char *source, *target, *text;
		size_t n;

		if (entry->d_name[0] == '.')
			continue;
		source = fs_join(from, entry->d_name);
		target = fs_join(to, entry->d_name);
		assert_ok(fs_read_file(source, 1 << 24, &text, &n, &e), e);
		assert_ok(fs_write_file(target, text, n, &e), e);
		free(text);
		free(source);
		free(target);
	}
	closedir(dir);
}
