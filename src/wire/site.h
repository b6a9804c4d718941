/*
 * Source sites: where an instrumented operation stands in the source.
 *
 * The instrumenter emits one record per site into the section "heddle_sites" of each object and
 * the strings into "heddle_strs"; linking concatenates them.  In a linked module the records form
 * one array from __start_heddle_sites to __stop_heddle_sites.  Hooks get the address of a record.
 * The guest numbers sites as (base of the module) + (index in its array), modules in the order they
 * registered; the executable registers too.  String fields are distances in bytes from the address
 * of the record itself to a NUL-terminated string in the same module, 0 = absent, so that the table
 * can be read from the file without applying relocations.
 *
 * Every instrumented translation unit also emits one record of struct heddle_function per function
 * that can be called by address or from another unit into "heddle_funcs"; the guest uses the set of
 * their addresses to tell instrumented code from opaque code.
 */
#ifndef HEDDLE_WIRE_SITE_H
#define HEDDLE_WIRE_SITE_H

#include <stdint.h>

#define HEDDLE_SITES_SECTION "heddle_sites"
#define HEDDLE_STRS_SECTION "heddle_strs"
#define HEDDLE_FUNCS_SECTION "heddle_funcs"
#define HEDDLE_BITCODE_SECTION ".heddle.bc"

enum site_flag {
	SITE_VOLATILE = 1, /* volatile access */
	SITE_ATOMIC = 2,   /* C11/C++11/__sync atomic */
	SITE_TLS = 4,	   /* thread-local variable */
	SITE_BACK_EDGE = 8, /* branch record: taken branch closes a loop */
	SITE_FIXED = 16	   /* the object is always the same one: its address is a constant */
};

struct heddle_site {
	int32_t file;	 /* distance to the file name */
	int32_t dir;	 /* distance to the compilation directory */
	int32_t func;	 /* distance to the function name as the user wrote it */
	int32_t name;	 /* distance to the accessed expression: "q->head", "buf[i]", "pthread_create" */
	uint32_t line;
	uint16_t column;
	uint8_t kind;	 /* enum event_kind the site mostly stands for */
	uint8_t size;	 /* bytes accessed, 0 when not an access */
	uint32_t flags;	 /* enum site_flag */
	uint32_t unit;	 /* hash of the translation unit's name: the same site keeps (unit, ordinal) */
};

struct heddle_function {
	const void *address;
	int32_t name; /* distance from this record to the name */
	uint32_t flags;
};

/* Frame before each translation unit's bitcode in HEDDLE_BITCODE_SECTION; 8-byte aligned. */
#define HEDDLE_BITCODE_MAGIC UINT64_C(0x31424345444448ff) /* ff 'H' 'D' 'D' 'E' 'C' 'B' '1' */
struct heddle_bitcode_frame {
	uint64_t magic;
	uint64_t bytes;	    /* of the bitcode after the two strings, before padding */
	uint32_t name_bytes; /* source name, NUL included */
	uint32_t args_bytes; /* the code generation options, NUL separated, NUL included */
	uint64_t checksum;  /* FNV-1a 64 of the bitcode */
};

_Static_assert(sizeof(struct heddle_site) == 32, "site layout");
_Static_assert(sizeof(struct heddle_function) == 16, "function layout");
_Static_assert(sizeof(struct heddle_bitcode_frame) == 32, "bitcode frame layout");

#endif
