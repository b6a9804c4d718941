#include "instr/element.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "instr/name.h"
#include "ir/cfg.h"
#include "wire/coop.h"

#define NOT_WANTED UINT32_MAX

/*
 * Calls that use what their first argument points to.  Taking is noted when it is over: who waits
 * has no place in the order yet.  What does not wait is an access like any other, and so is
 * signalling a condition, whose order against falling asleep decides who is woken.
 */
static const struct {
	const char *symbol;
	enum element_use use;
	bool holder; /* WAIT: the second argument is not the mutex but an object that has it */
} calls[] = {
	{"pthread_mutex_lock", ELEMENT_TAKEN, false},
	{"pthread_mutex_timedlock", ELEMENT_TAKEN, false},
	{"pthread_mutex_clocklock", ELEMENT_TAKEN, false},
	{"pthread_mutex_trylock", ELEMENT_AROUND, false},
	{"pthread_rwlock_rdlock", ELEMENT_TAKEN, false},
	{"pthread_rwlock_wrlock", ELEMENT_TAKEN, false},
	{"pthread_rwlock_timedrdlock", ELEMENT_TAKEN, false},
	{"pthread_rwlock_timedwrlock", ELEMENT_TAKEN, false},
	{"pthread_rwlock_tryrdlock", ELEMENT_AROUND, false},
	{"pthread_rwlock_trywrlock", ELEMENT_AROUND, false},
	{"pthread_spin_lock", ELEMENT_TAKEN, false},
	{"pthread_spin_trylock", ELEMENT_AROUND, false},
	{"pthread_cond_wait", ELEMENT_WAIT, false},
	{"pthread_cond_timedwait", ELEMENT_WAIT, false},
	{"pthread_cond_clockwait", ELEMENT_WAIT, false},
	{"pthread_cond_signal", ELEMENT_AROUND, false},
	{"pthread_cond_broadcast", ELEMENT_AROUND, false},
	{"sem_wait", ELEMENT_TAKEN, false},
	{"sem_timedwait", ELEMENT_TAKEN, false},
	{"sem_clockwait", ELEMENT_TAKEN, false},
	{"sem_trywait", ELEMENT_AROUND, false},
	{"sem_post", ELEMENT_AROUND, false},
	{"mtx_lock", ELEMENT_TAKEN, false},
	{"mtx_timedlock", ELEMENT_TAKEN, false},
	{"mtx_trylock", ELEMENT_AROUND, false},
	{"cnd_wait", ELEMENT_WAIT, false},
	{"cnd_timedwait", ELEMENT_WAIT, false},
	{"cnd_signal", ELEMENT_AROUND, false},
	{"cnd_broadcast", ELEMENT_AROUND, false},
	{"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", ELEMENT_WAIT, true},
	{"_ZNSt18condition_variable10notify_oneEv", ELEMENT_AROUND, false},
	{"_ZNSt18condition_variable10notify_allEv", ELEMENT_AROUND, false},
};

void elements_free(struct elements *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->items[i].name);
		free(all->items[i].mutex);
		free(all->items[i].function);
	}
	vec_free(all);
}

/* ---- stretches ---- */

bool element_ends_stretch(LLVMValueRef instruction)
{
	LLVMValueRef callee;

	if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction) &&
	    !LLVMIsACallBrInst(instruction))
		return false;
	callee = LLVMGetCalledValue(instruction);
	return !callee || !LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee);
}

bool element_same_stretch(const struct element_seen *a, const struct element_seen *b)
{
	return a->stretch == b->stretch && !strcmp(a->function, b->function);
}

void element_stretch_name(const struct element_seen *first, struct strbuf *to)
{
	strbuf_addf(to, "%s:%u#%u", first->function, first->line, first->stretch);
}

/* ---- what is accessed ---- */

static char *name_at(struct unit *u, LLVMValueRef address, uint64_t scalar)
{
	struct strbuf text = STRBUF_INIT;

	name_of_element(u, address, scalar, &text);
	return text.text;
}

static void note(struct unit *u, LLVMValueRef at, struct element_seen seen)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(at));
	size_t bytes;
	const char *name = LLVMGetValueName2(function, &bytes);

	seen.at = at;
	seen.site = u->sites.count ? (uint32_t)u->sites.count - 1 : 0;
	seen.function = xstrndup(name, bytes);
	seen.stretch = u->stretch;
	seen.line = LLVMGetDebugLocLine(at);
	vec_push(u->elements, seen);
}

static LLVMTypeRef accessed_type(LLVMValueRef instruction)
{
	if (LLVMIsAStoreInst(instruction))
		return LLVMTypeOf(LLVMGetOperand(instruction, 0));
	if (LLVMIsAAtomicCmpXchgInst(instruction))
		return LLVMTypeOf(LLVMGetOperand(instruction, 1));
	return LLVMTypeOf(instruction);
}

void element_access(struct unit *u, LLVMValueRef instruction, LLVMValueRef address, bool writes)
{
	uint64_t bytes;

	/* Calls move blocks of memory of several elements, or are library functions. */
	if (!u->elements || LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction))
		return;
	bytes = LLVMStoreSizeOfType(u->layout, accessed_type(instruction));
	note(u, instruction,
	     (struct element_seen){
		     .use = ELEMENT_AROUND, .writes = writes, .name = name_at(u, address, bytes)});
}

void element_call(struct unit *u, LLVMValueRef call, const char *symbol)
{
	struct element_seen seen = {.writes = true};
	size_t i = 0;

	if (!u->elements || LLVMIsACallBrInst(call) || LLVMGetNumArgOperands(call) < 1 ||
	    (LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail))
		return;
	while (i < sizeof(calls) / sizeof(calls[0]) && strcmp(calls[i].symbol, symbol) != 0)
		i++;
	if (i == sizeof(calls) / sizeof(calls[0]))
		return;
	seen.use = (uint8_t)calls[i].use;
	if (seen.use == ELEMENT_WAIT && LLVMGetNumArgOperands(call) < 2)
		return;
	seen.name = name_at(u, LLVMGetArgOperand(call, 0), 0);
	if (seen.use == ELEMENT_WAIT && !calls[i].holder)
		seen.mutex = name_at(u, LLVMGetArgOperand(call, 1), 0);
	note(u, call, seen);
}

/* ---- the coop flavour ---- */

struct wanted_name {
	const char *text; /* borrowed, not ended */
	size_t bytes;
	uint32_t line;
};

/* Sorted: programs have thousands of elements. */
struct wanted {
	VEC_FIELDS(struct wanted_name);
};

static int by_name(const void *a, const void *b)
{
	const struct wanted_name *x = a, *y = b;
	int order = memcmp(x->text, y->text, x->bytes < y->bytes ? x->bytes : y->bytes);

	return order ? order : x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

static void wanted_init(struct wanted *w, const char *text)
{
	for (uint32_t line = 0; *text; line++) {
		size_t n = strcspn(text, "\n");

		vec_push(w, ((struct wanted_name){text, n, line}));
		text += n + (text[n] == '\n');
	}
	if (w->count)
		qsort(w->items, w->count, sizeof(*w->items), by_name);
}

static uint32_t number_of(const struct wanted *w, const char *name)
{
	struct wanted_name key = {.text = name};
	const struct wanted_name *found;

	if (!name || !w->count)
		return NOT_WANTED;
	key.bytes = strlen(name);
	found = bsearch(&key, w->items, w->count, sizeof(*w->items), by_name);
	return found ? found->line : NOT_WANTED;
}

static void call_hook(struct unit *u, enum hook_id hook, uint32_t number)
{
	if (number != NOT_WANTED)
		unit_call_hook(u, hook, (LLVMValueRef[]){unit_i32(u, number)}, 1);
}

/* Builds where it is over; what is left by an exception has not been done. */
static void build_after(struct unit *u, LLVMValueRef at)
{
	LLVMValueRef next;

	if (LLVMIsAInvokeInst(at))
		next = LLVMGetFirstInstruction(
			cfg_split_edge(LLVMGetInstructionParent(at), LLVMGetNormalDest(at)));
	else
		next = LLVMGetNextInstruction(at);
	unit_build_before(u, next);
}

/* It must stay between the calls, and be made once. */
static void pin(LLVMValueRef at)
{
	if (LLVMIsALoadInst(at) || LLVMIsAStoreInst(at) || LLVMIsAAtomicRMWInst(at) ||
	    LLVMIsAAtomicCmpXchgInst(at))
		LLVMSetVolatile(at, 1);
}

/* Everything from the first to the last, which are one or in the same block. */
static void surround(struct unit *u, LLVMValueRef first, LLVMValueRef last, uint32_t number)
{
	if (number == NOT_WANTED)
		return;
	unit_build_before(u, first);
	call_hook(u, HOOK_COOP_ENTER, number);
	build_after(u, last);
	call_hook(u, HOOK_COOP_LEAVE, number);
}

static void note_taken(struct unit *u, LLVMValueRef call, uint32_t number)
{
	LLVMValueRef result = call;

	if (number == NOT_WANTED)
		return;
	build_after(u, call);
	if (LLVMTypeOf(call) != u->i32)
		result = unit_i32(u, 0);
	unit_call_hook(u, HOOK_COOP_TAKEN, (LLVMValueRef[]){unit_i32(u, number), result}, 2);
}

static void note_wait(struct unit *u, LLVMValueRef call, uint32_t number, uint32_t mutex)
{
	unit_build_before(u, call);
	call_hook(u, HOOK_COOP_NOTE, number);
	build_after(u, call);
	call_hook(u, HOOK_COOP_NOTE, mutex);
	call_hook(u, HOOK_COOP_NOTE, number);
}

/* What comes before main is not under control when the order is enforced: it is not logged. */
static void mark_main(struct unit *u)
{
	LLVMValueRef main_function = LLVMGetNamedFunction(u->mod, "main"), at;

	if (!main_function || LLVMIsDeclaration(main_function))
		return;
	at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(main_function));
	while (LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	unit_build_before(u, at);
	unit_call_hook(u, HOOK_COOP_BEGIN, NULL, 0);
}

static void surround_one(struct unit *u, const struct element_seen *s, uint32_t number,
			 uint32_t mutex)
{
	if (s->use == ELEMENT_TAKEN) {
		note_taken(u, s->at, number);
	} else if (s->use == ELEMENT_WAIT) {
		note_wait(u, s->at, number, mutex);
	} else if (number != NOT_WANTED) {
		pin(s->at);
		surround(u, s->at, s->at, number);
	}
}

static void surround_stretch(struct unit *u, const struct elements *all, size_t from, size_t to,
			     uint32_t number)
{
	if (to - from == 1) {
		surround_one(u, &all->items[from], number, NOT_WANTED);
		return;
	}
	for (size_t i = from; i < to && number != NOT_WANTED; i++)
		pin(all->items[i].at);
	surround(u, all->items[from].at, all->items[to - 1].at, number);
}

static void surround_stretches(struct unit *u, const struct elements *all,
			       const struct wanted *names, bool one)
{
	struct strbuf name = STRBUF_INIT;

	for (size_t i = 0, end; i < all->count; i = end) {
		uint32_t number;

		for (end = i + 1;
		     end < all->count && element_same_stretch(&all->items[end], &all->items[i]);)
			end++;
		name.length = 0;
		element_stretch_name(&all->items[i], &name);
		number = number_of(names, name.text);
		surround_stretch(u, all, i, end, one && number != NOT_WANTED ? 0 : number);
	}
	strbuf_free(&name);
}

/* Takes a first line that says of what the others are names. */
static bool take_line(const char **text, const char *line)
{
	size_t n = strlen(line);

	if (strncmp(*text, line, n) != 0 || (*text)[n] != '\n')
		return false;
	*text += n + 1;
	return true;
}

void element_surround(struct unit *u, const struct elements *all, const char *wanted)
{
	bool one = take_line(&wanted, COOP_WANTED_GLOBAL);
	bool stretches = one || take_line(&wanted, COOP_WANTED_BLOCKS);
	struct wanted names = {NULL, 0, 0};

	wanted_init(&names, wanted);
	if (stretches)
		surround_stretches(u, all, &names, one);
	for (size_t i = 0; i < all->count && !stretches; i++) {
		const struct element_seen *s = &all->items[i];

		surround_one(u, s, number_of(&names, s->name), number_of(&names, s->mutex));
	}
	vec_free(&names);
	mark_main(u);
}
