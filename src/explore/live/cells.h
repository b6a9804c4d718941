/*
 * Which bytes of the program's memory matter to more than one thread.
 *
 * Every access of an execution is noted as a cell (address, size) with the threads that touched it.
 * Cells that overlap are one object.  An object is tracked when two threads touch it and somebody
 * writes it after the first thread was begun; all others cannot carry a value from one thread to
 * another, and their accesses are left out of the model.
 */
#ifndef HEDDLE_CHECK_CELLS_H
#define HEDDLE_CHECK_CELLS_H

#include "base/vec.h"
#include "explore/learn/learn.h"

#define CELLS_LARGEST 4096 /* larger ranges join what lies in them, but are no objects themselves */

struct cell {
	uint64_t address;
	uint32_t size;
	uint32_t thread;   /* first that touched it */
	bool many, written; /* by several threads; after threads were begun */
	bool block;	    /* joins nothing */
	bool place;	    /* no access: concerns only who gives back the memory it is in */
	bool hidden, observed; /* hidden state: tracked only when somebody gets to know it */
};

struct cells {
	VEC(struct cell) items;
	uint32_t *table;
	size_t capacity;
	/* Made by cells_layout(): tracked objects by address, numbers as in learn.objects. */
	VEC(struct cell) tracked;
	VEC(struct cell) groups; /* scratch */
	uint64_t version, judged; /* raised when a note may change what is tracked; last judged */
};

void cells_init(struct cells *c);
void cells_fini(struct cells *c);

/* A thread touches bytes; alone: before any other thread was begun. */
void cells_note(struct cells *c, uint64_t address, uint64_t size, uint32_t thread, bool writes,
		bool alone);

/* A thread uses hidden state (EVENT_HIDDEN); observed: what it does depends on what it was. */
void cells_note_hidden(struct cells *c, uint64_t address, uint32_t thread, bool writes,
		       bool observed, bool alone);

/* What a thread finds there is a choice, even when nobody else touches it: it is tracked. */
void cells_note_choice(struct cells *c, uint64_t address, uint32_t size, uint32_t thread);

/* A thread gives a block back: it writes whatever lies in it, without making it one object. */
void cells_note_block(struct cells *c, uint64_t address, uint64_t size, uint32_t thread,
		      bool alone);

/*
 * A thread uses the synchronisation object, or gives back the block, at address: tracked when another
 * gives its memory back.
 */
void cells_note_place(struct cells *c, uint64_t address, uint32_t thread);

/* Whether cells_layout() would decide differently now. */
bool cells_changed(struct cells *c);

/* Decides what is tracked and makes these objects the first ones of l, contents unset. */
void cells_layout(struct cells *c, struct learn *l);

/*
 * The tracked object with the first byte of [address, address + size) that is tracked, or
 * LEARN_NONE.  *offset is where that byte lies in the tracked memory, *bytes how many tracked bytes
 * the range has from there, in one piece.
 */
uint32_t cells_find(const struct cells *c, const struct learn *l, uint64_t address, uint64_t size,
		    uint32_t *offset, uint32_t *bytes);

#endif
