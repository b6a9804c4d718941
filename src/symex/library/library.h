/*
 * Models of library functions: what they do to the machine, and the events they record.
 * Private to symex.
 */
#ifndef HEDDLE_SYMEX_LIBRARY_H
#define HEDDLE_SYMEX_LIBRARY_H

#include "symex/machine/access.h"
#include "symex/machine/machine.h"

/* Fills in model, effects and kind of a function that is outside. */
void library_find(struct program_function *f);
/* Puts what the program expects of libraries into its memory; before library_find(). */
void library_prepare(struct symex_program *p);

/* Tables of the single files; NULL name ends them. */
struct library_row {
	const char *name;
	library_fn call;
};
extern const struct library_row library_hooks[], library_sync[], library_wait[], library_threads[],
	library_process[], library_memory[], library_strings[], library_text[], library_system[],
	library_sort[], library_atomic[], library_cxx[], library_stdexcept[];

/* ---- helpers of models ---- */

/* Argument n as a number; an expression is made concrete or ends the thread. */
uint64_t library_arg(struct machine *m, struct library_call *k, unsigned n);
/*
 * The same of an amount of memory: where the values of the run are known, how much it is here does
 * not bind other runs.  Where the memory lies is of no consequence, and using what is not there is
 * none of a schedule's business.
 */
uint64_t library_amount(struct machine *m, struct library_call *k, unsigned n);
/* Whether the thread can use this memory at the site of the call; it has ended otherwise. */
bool library_usable(struct machine *m, struct library_call *k, uint64_t addr, uint64_t bytes,
		    bool write);
/* The site that heddle_hook_at left, used up. */
uint32_t library_take_site(struct library_call *k);
enum library_result library_return(struct library_call *k, uint64_t value);
/* A string of the program's memory; ends the thread when it is not there.  The caller frees it. */
char *library_string(struct machine *m, struct library_call *k, uint64_t addr);
void library_get(struct machine *m, struct library_call *k, uint64_t addr, void *to,
		 uint64_t bytes);
void library_put(struct machine *m, struct library_call *k, uint64_t addr, const void *from,
		 uint64_t bytes);
uint64_t library_word(struct machine *m, struct library_call *k, uint64_t addr, uint32_t bytes);
void library_set_errno(struct machine *m, struct library_call *k, int number);
/* Asks how an attempt ends; `unless' when nobody knows and the machine is concrete. */
bool library_outcome(struct machine *m, struct library_call *k, enum event_kind kind, uint64_t addr,
		     uint64_t *out);
/* A wait that took time ended with the event before: the clock is another one. */
void library_time_passed(struct machine *m, struct library_call *k, uint32_t site);
/* What a function without a model does: unknown result, unknown contents. */
enum library_result library_outside(struct machine *m, struct library_call *k);
/* Text of a format and its arguments, printf's meaning. */
struct strbuf;
void library_format(struct machine *m, struct library_call *k, const char *format, unsigned first,
		    uint64_t va_list_at, struct strbuf *to);

/* pthread_cond_wait, for those who call it. */
enum library_result sync_cond_wait(struct machine *m, struct library_call *k);

#endif
