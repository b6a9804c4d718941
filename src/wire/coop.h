/*
 * Partial logs: what the instrumenter, heddle-deps, the recording runtime, the guest and the host
 * share about orders of accesses to shared elements.
 *
 * heddle-deps --elements says which elements a program has (struct coop_table), and heddle-deps
 * --blocks which stretches of code access them.  A program of the
 * flavour `coop' calls the recording runtime around accesses of some of them; the runtime keeps the
 * order in a file of its own beside those of wire/record.h, which both sides map:
 *
 *	0			struct coop_area
 *	COOP_SLOTS_AT		struct coop_slot[], one per element that is recorded
 *	behind them		chunks of entries, each led by a struct coop_chunk
 *
 * An entry is a thread and how often in a row it came (coop_entry()).  The entry under way lies in
 *the slot.  Everything is in the page cache the moment it is written, so a crash loses nothing.
 *
 * The guest is told turns (struct turns_head in the scratch area): per element the threads in the
 *order in which they may come, and the element of every site.
 */
#ifndef HEDDLE_WIRE_COOP_H
#define HEDDLE_WIRE_COOP_H

#include <stdint.h>

/* ---- heddle-deps --elements ---- */

#define COOP_TABLE_MAGIC UINT64_C(0x324d454c45444448) /* "HDDELEM2" */
#define COOP_BUILD_BYTES 20
#define COOP_NO_ELEMENT UINT32_MAX

/*
 * This, then per element a uint32_t (enum coop_element_flag), a uint32_t with the bytes of its name
 * and the name, in the order of the names; then per site a struct coop_site.
 */
struct coop_table {
	uint64_t magic;
	uint32_t elements, sites;
	uint8_t build[COOP_BUILD_BYTES]; /* of the bitcode, whatever was built from it */
	uint32_t flavour;		 /* COOP_ORDER or COOP_BLOCKS */
};

enum coop_flavour {
	COOP_ORDER,  /* orders of variables, fields and locks */
	COOP_BLOCKS, /* of stretches of code that access such */
	COOP_GLOBAL, /* the one order of all these stretches */
	COOP_FLAVOURS,
};
/* The last byte of a build says of what kind the elements are: their logs never mix. */
#define COOP_BUILD_FLAVOUR (COOP_BUILD_BYTES - 1)

enum coop_element_flag {
	COOP_ELEMENT_SYNC = 1, /* a lock, a semaphore, a condition */
};

struct coop_site {
	uint32_t element; /* COOP_NO_ELEMENT: none */
	uint32_t mutex;	 /* of the mutex that a wait gives up and takes again; or COOP_NO_ELEMENT */
	uint32_t inside; /* a stretch that was entered before; or COOP_NO_ELEMENT */
	uint32_t spare;	 /* what follows is aligned */
};

/* First lines of the names that heddle cc --elements is told: the others are of blocks. */
#define COOP_WANTED_BLOCKS "#blocks"
#define COOP_WANTED_GLOBAL "#global"

/* ---- the file of the recording runtime ---- */

#define COOP_FILE "orders"
#define COOP_AREA_MAGIC UINT64_C(0x31524f5045445448)
#define COOP_SLOTS_AT 4096u
#define COOP_CHUNK_BYTES 4096u
#define COOP_MAX_SLOTS (1u << 20)
#define COOP_LENGTH_BITS 48

struct coop_area {
	uint64_t magic;
	uint32_t slots;
	uint32_t begun;	   /* main has begun */
	uint64_t used;	   /* bytes of the file that were given away */
	uint64_t reserved; /* bytes of it that are there */
};

struct coop_slot {
	uint32_t lock;	/* the thread that is between enter and leave, plus 1 */
	uint32_t lost;	/* the order is not complete, or not wanted: no more is recorded of it */
	uint64_t entry; /* under way; 0: none yet */
	uint64_t first, last; /* chunks, as offsets in the file; 0: none */
	uint64_t spare[4];
};

struct coop_chunk {
	uint64_t next; /* 0: the last one */
	uint32_t used; /* entries */
	uint32_t spare;
};
#define COOP_CHUNK_ENTRIES ((COOP_CHUNK_BYTES - sizeof(struct coop_chunk)) / sizeof(uint64_t))

/* thread: its number in the runtime's table of threads. */
static inline uint64_t coop_entry(uint32_t thread, uint64_t length)
{
	return (uint64_t)thread << COOP_LENGTH_BITS | length;
}

/* ---- turns for the guest ---- */

#define TURNS_MAGIC UINT64_C(0x32534e5255544448)
#define TURNS_NONE UINT32_MAX

/* This, then struct turns_thread[], struct coop_site[], struct turns_element[], struct turns_run[].
 */
struct turns_head {
	uint64_t magic;
	uint32_t threads, sites, elements;
	uint32_t blocks; /* elements are stretches of code, which one thread at a time is in */
	uint64_t runs;
};

/* Thread i was created by thread `parent' (below i) as its child number `index', from 0; main:
 * none. */
struct turns_thread {
	uint32_t parent, index;
};

struct turns_element {
	uint64_t first, count; /* runs; count 0: any order */
	uint32_t soft;	       /* the order is kept to when nothing speaks against it */
	uint32_t spare;
};

struct turns_run {
	uint32_t thread, spare;
	uint64_t length;
};

_Static_assert(sizeof(struct coop_table) == 40, "table layout");
_Static_assert(sizeof(struct coop_site) == 16, "site layout");
_Static_assert(sizeof(struct coop_slot) == 64, "slot layout");
_Static_assert(sizeof(struct coop_chunk) == 16, "chunk layout");
_Static_assert(sizeof(struct turns_head) == 32, "turns layout");

#endif
