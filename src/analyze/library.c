/* Constraints of calls of functions without code here: what they hand on, make and give back. */
#include <string.h>

#include <llvm-c/Core.h>

#include "analyze/outside.h"
#include "analyze/whole.h"
#include "instr/calls.h"

static uint32_t argument(struct whole *w, uint32_t body, LLVMValueRef call, unsigned i)
{
	return i < LLVMGetNumArgOperands(call) ? whole_node(w, body, LLVMGetArgOperand(call, i))
					       : points_node(&w->points);
}

static bool one_of(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

static bool has_word(const char *effects, const char *word)
{
	for (const char *w = effects; *w; w += strcspn(w, " "), w += strspn(w, " "))
		if (strcspn(w, " ") == strlen(word) && !strncmp(w, word, strlen(word)))
			return true;
	return false;
}

/* A node that holds what a pointer's place holds. */
static uint32_t loaded(struct whole *w, uint32_t pointer)
{
	uint32_t node = points_node(&w->points);

	points_edge(&w->points, pointer, (struct points_edge){.kind = POINTS_LOAD, .other = node});
	return node;
}

static void stored(struct whole *w, uint32_t pointer, uint32_t value)
{
	points_edge(&w->points, pointer,
		    (struct points_edge){.kind = POINTS_STORE, .other = value});
}

static void moved(struct whole *w, uint32_t from, uint32_t to, int64_t bytes, uint32_t stride)
{
	points_edge(&w->points, from,
		    (struct points_edge){
			    .kind = POINTS_ADD, .other = to, .bytes = bytes, .stride = stride});
}

static void put_object(struct whole *w, uint32_t node, uint32_t object, uint32_t stride)
{
	points_put(&w->points, node, locs_get(&w->points.locs, object, 0, stride));
}

/* ---- memory ---- */

static uint64_t constant_argument(LLVMValueRef call, unsigned i)
{
	LLVMValueRef v = i < LLVMGetNumArgOperands(call) ? LLVMGetArgOperand(call, i) : NULL;

	return v && LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : 0;
}

static uint64_t size_of_block(LLVMValueRef call, const char *name)
{
	if (!strcmp(name, "calloc"))
		return constant_argument(call, 0) * constant_argument(call, 1);
	if (!strcmp(name, "malloc") || !strncmp(name, "_Znwm", 5) || !strncmp(name, "_Znam", 5) ||
	    !strcmp(name, "__cxa_allocate_exception"))
		return constant_argument(call, 0);
	return 0;
}

static void allocate(struct whole *w, uint32_t body, LLVMValueRef call, const char *name,
		     uint32_t to)
{
	bool fresh;
	uint32_t object = whole_made(w, OBJECT_HEAP, body, call, &fresh);

	w->points.locs.objects.items[object].size = size_of_block(call, name);
	put_object(w, to, object, 0);
	/* Where it lies is not what is asked: what was there is there. */
	if (!strncmp(name, "realloc", 7))
		points_copy(&w->points, argument(w, body, call, 0), to);
}

static void copy_block(struct whole *w, uint32_t body, LLVMValueRef call, uint64_t bytes)
{
	uint32_t to = argument(w, body, call, 0), from = argument(w, body, call, 1);
	struct watch x = {.kind = WATCH_COPY, .body = body, .bytes = bytes};

	x.a = to;
	x.b = from;
	whole_watch(w, to, x);
	x.call = call;
	x.a = from;
	x.b = to;
	whole_watch(w, from, x);
}

/* Memory of the library that a function gives out. */
static uint32_t library_memory(struct whole *w, LLVMValueRef call)
{
	bool fresh;
	LLVMValueRef f = LLVMGetCalledValue(call);
	uint32_t object = whole_made(w, OBJECT_LIBRARY, 0, f, &fresh);

	if (fresh)
		put_object(w, points_in(&w->points, locs_get(&w->points.locs, object, 0, 1)),
			   object, 1);
	return object;
}

uint32_t whole_state(struct whole *w, unsigned state)
{
	uint32_t object;

	_Static_assert(OUTSIDE_STATES <= sizeof(w->states) / sizeof(w->states[0]), "a slot each");
	if (w->states[state])
		return w->states[state] - 1;
	locs_object(&w->points.locs, OBJECT_LIBRARY, NULL, &object);
	put_object(w, points_in(&w->points, locs_get(&w->points.locs, object, 0, 1)), object, 1);
	w->states[state] = object + 1;
	return object;
}

/* ---- threads ---- */

static void create(struct whole *w, uint32_t body, LLVMValueRef call, const char *name)
{
	bool c11 = !strcmp(name, "thrd_create");
	struct watch x = {.kind = WATCH_CREATE, .body = body, .call = call};
	uint32_t function;

	x.b = argument(w, body, call, 0);
	if (*name == '_') {
		/* std::thread: the state's virtual function _M_run, behind two destructors. */
		uint32_t slot = points_node(&w->points);

		x.a = loaded(w, argument(w, body, call, 1));
		moved(w, loaded(w, x.a), slot, 16, 0);
		function = loaded(w, slot);
	} else {
		function = argument(w, body, call, c11 ? 1 : 2);
		x.a = argument(w, body, call, c11 ? 2 : 3);
	}
	whole_watch(w, function, x);
}

static void join(struct whole *w, uint32_t body, LLVMValueRef call)
{
	struct watch x = {.kind = WATCH_JOIN, .body = body, .call = call};

	x.a = argument(w, body, call, 1);
	whole_watch(w, argument(w, body, call, 0), x);
}

/* Functions that are called some time: handlers, destructors, what runs at the end. */
static bool called_later(struct whole *w, uint32_t body, LLVMValueRef call, const char *name)
{
	static const char *const ends[] = {"atexit", "at_quick_exit", NULL};
	static const char *const ends_with[] = {"__cxa_atexit", "on_exit", "__cxa_thread_atexit",
						"__cxa_thread_atexit_impl", NULL};
	static const char *const handlers[] = {"signal", "__sysv_signal", NULL};
	struct watch x = {.body = body, .call = call, .a = POINTS_NONE, .b = POINTS_NONE};
	uint32_t function = argument(w, body, call, 0), slot;

	if (one_of(name, ends) || one_of(name, ends_with)) {
		bool own = strstr(name, "thread") != NULL;

		x.kind = WATCH_END;
		x.body = w->threads.items[own ? w->bodies.items[body].thread : 0].root;
		if (one_of(name, ends_with))
			x.a = argument(w, body, call, 1);
	} else if (!strcmp(name, "pthread_key_create") || !strcmp(name, "tss_create")) {
		x.kind = WATCH_END;
		x.a = w->specific;
		function = argument(w, body, call, 1);
		/* Every thread may end with a value of the key. */
		whole_watch(w, function,
			    (struct watch){.kind = WATCH_HANDLER,
					   .body = body,
					   .call = call,
					   .a = w->specific,
					   .b = POINTS_NONE});
		return true;
	} else if (one_of(name, handlers)) {
		x.kind = WATCH_HANDLER;
		function = argument(w, body, call, 1);
	} else if (!strcmp(name, "sigaction")) {
		x.kind = WATCH_HANDLER;
		function = loaded(w, argument(w, body, call, 1));
	} else if (!strcmp(name, "timer_create")) {
		x.kind = WATCH_HANDLER;
		slot = points_node(&w->points);
		moved(w, argument(w, body, call, 1), slot, 16, 0);
		function = loaded(w, slot);
	} else {
		return false;
	}
	whole_watch(w, function, x);
	return true;
}

/* ---- by name ---- */

static void intrinsic(struct whole *w, uint32_t body, LLVMValueRef call, const char *name)
{
	uint32_t to = whole_node(w, body, call);
	bool fresh;

	if (!strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13)) {
		copy_block(w, body, call, constant_argument(call, 2));
	} else if (!strcmp(name, "llvm.va_start") || !strncmp(name, "llvm.va_start.", 14)) {
		uint32_t object =
			whole_made(w, OBJECT_VARARGS, body, whole_function(w, body), &fresh);
		uint32_t node = points_node(&w->points), list = points_node(&w->points);
		uint32_t any = locs_get(&w->points.locs, object, 0, 1);

		points_put(&w->points, node, any);
		points_copy(&w->points, w->bodies.items[body].rest, points_in(&w->points, any));
		moved(w, argument(w, body, call, 0), list, 0, 1);
		stored(w, list, node);
	} else if (!strncmp(name, "llvm.va_copy", 12)) {
		copy_block(w, body, call, 24);
	} else if (strncmp(name, "llvm.dbg.", 9) && strncmp(name, "llvm.lifetime", 13)) {
		for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
			if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
				points_copy(&w->points, argument(w, body, call, i), to);
	}
}

/* Pointers that go through descriptors and streams come out of others. */
static void exchange(struct whole *w, uint32_t body, LLVMValueRef call, const char *name)
{
	static const char *const in[] = {"read", "pread", "recv", "recvfrom", NULL};
	static const char *const out[] = {"write", "pwrite", "send", "sendto", NULL};

	if (one_of(name, in))
		stored(w, argument(w, body, call, 1), w->world);
	else if (one_of(name, out))
		points_copy(&w->points, loaded(w, argument(w, body, call, 1)), w->world);
	else if (!strcmp(name, "fread"))
		stored(w, argument(w, body, call, 0), w->world);
	else if (!strcmp(name, "fwrite"))
		points_copy(&w->points, loaded(w, argument(w, body, call, 0)), w->world);
}

/* All arguments in one, moved anywhere in their objects. */
static uint32_t all_arguments(struct whole *w, uint32_t body, LLVMValueRef call)
{
	uint32_t all = points_node(&w->points);

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		moved(w, argument(w, body, call, i), all, 0, 1);
	return all;
}

/* What it writes eight bytes of may be a pointer into what it is given, or a block it made. */
static void hand_out(struct whole *w, uint32_t body, LLVMValueRef call, const char *name)
{
	const char *effects = outside_effects(name);
	uint32_t to = whole_node(w, body, call), all = all_arguments(w, body, call);
	bool block = has_word(effects, "m");
	unsigned next = 0, state;
	struct outside_access x;
	bool write;

	if (block)
		allocate(w, body, call, "", all);
	/* What they keep from call to call comes out again. */
	while (outside_next(call, effects, &next, &x))
		if (x.deep)
			moved(w, loaded(w, argument(w, body, call, x.argument)), all, 0, 1);
	if (!strcmp(name, "strtok")) {
		points_copy(&w->points, all, w->token);
		points_copy(&w->points, w->token, all);
	}
	for (next = 0; outside_next(call, effects, &next, &x);)
		if (x.write && x.bytes == 8 && !x.deep)
			stored(w, argument(w, body, call, x.argument), all);
	if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMPointerTypeKind)
		return;
	points_copy(&w->points, all, to);
	if (block)
		return;
	for (next = 0; outside_state(name, effects, &next, &state, &write);)
		if (state < OUTSIDE_HANDED)
			put_object(w, to, whole_state(w, state), 1);
	put_object(w, to, library_memory(w, call), 1);
}

static void known(struct whole *w, uint32_t body, LLVMValueRef call, const char *name)
{
	static const char *const copies[] = {"memcpy", "memmove", "mempcpy", NULL};
	static const char *const firsts[] = {"memset",
					     "strcpy",
					     "strncpy",
					     "strcat",
					     "strncat",
					     "__cxa_begin_catch",
					     "__cxa_get_exception_ptr",
					     NULL};
	static const char *const own[] = {"__errno_location", "__h_errno_location", NULL};
	uint32_t to = whole_node(w, body, call);
	bool fresh;

	if (one_of(name, copies)) {
		copy_block(w, body, call, constant_argument(call, 2));
		moved(w, argument(w, body, call, 0), to, 0, name[3] == 'p');
	} else if (one_of(name, firsts)) {
		points_copy(&w->points, argument(w, body, call, 0), to);
	} else if (one_of(name, own)) {
		put_object(w, to, whole_made(w, OBJECT_TLS, body, LLVMGetCalledValue(call), &fresh),
			   0);
	} else if (!strcmp(name, "pthread_setspecific") || !strcmp(name, "tss_set")) {
		points_copy(&w->points, argument(w, body, call, 1), w->specific);
	} else if (!strcmp(name, "pthread_getspecific") || !strcmp(name, "tss_get")) {
		points_copy(&w->points, w->specific, to);
	} else if (!strcmp(name, "__cxa_throw")) {
		points_copy(&w->points, argument(w, body, call, 0), w->thrown);
		whole_watch(w, argument(w, body, call, 2),
			    (struct watch){.kind = WATCH_CALLBACK,
					   .body = body,
					   .call = call,
					   .a = argument(w, body, call, 0)});
	} else {
		hand_out(w, body, call, name);
	}
}

static void call_backs(struct whole *w, uint32_t body, LLVMValueRef call)
{
	uint32_t all = all_arguments(w, body, call);

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) == LLVMPointerTypeKind)
			whole_watch(w, argument(w, body, call, i),
				    (struct watch){.kind = WATCH_CALLBACK,
						   .body = body,
						   .call = call,
						   .a = all});
}

static void opaque(struct whole *w, uint32_t body, LLVMValueRef call, const char *name)
{
	whole_note(w, "call", name, call);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		whole_escape(w, argument(w, body, call, i));
	points_copy(&w->points, w->escaped, whole_node(w, body, call));
}

void whole_outside(struct whole *w, uint32_t body, LLVMValueRef call, const char *name)
{
	uint32_t to = whole_node(w, body, call);
	uint32_t thread = w->bodies.items[body].thread;

	if (!strncmp(name, "llvm.", 5)) {
		intrinsic(w, body, call, name);
		return;
	}
	if (outside_is_opaque(name)) {
		opaque(w, body, call, name);
		return;
	}
	if (called_later(w, body, call, name))
		return;
	switch (outside_use(name)) {
	case OUTSIDE_ALLOCATE:
		allocate(w, body, call, name, to);
		return;
	case OUTSIDE_CREATE:
		create(w, body, call, name);
		return;
	case OUTSIDE_JOIN:
	case OUTSIDE_TRY_JOIN:
		if (*name != '_')
			join(w, body, call);
		return;
	case OUTSIDE_THREAD_EXIT:
		points_copy(&w->points, argument(w, body, call, 0),
			    w->threads.items[thread].result);
		return;
	case OUTSIDE_ONCE:
		whole_watch(w, argument(w, body, call, 1),
			    (struct watch){.kind = WATCH_CALLBACK,
					   .body = body,
					   .call = call,
					   .a = points_node(&w->points)});
		return;
	case OUTSIDE_OTHER:
		break;
	default:
		return;
	}
	exchange(w, body, call, name);
	if (has_word(outside_effects(name), "q") || !strncmp(name, "qsort", 5))
		call_backs(w, body, call);
	known(w, body, call, name);
}
