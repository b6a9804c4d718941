/*
 * What a bundle says about its own making: the tool, the parameters of the execution, the program
 * and the identity of every binary whose sites the events name.  File "meta" of a bundle.
 */
#ifndef HEDDLE_TRACE_META_H
#define HEDDLE_TRACE_META_H

#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

#define TRACE_BUILD_ID_MAX 32

/* Which file it was: enough to notice that it has been built anew. */
struct trace_file_id {
	char *path;		 /* owned; may be NULL when unknown */
	uint64_t bytes;		 /* size of the file */
	uint64_t hash;		 /* FNV-1a 64 of its contents */
	uint32_t build_id_bytes; /* 0: it has no build id */
	uint8_t build_id[TRACE_BUILD_ID_MAX];
};

/* An instrumented module (the executable or a shared library) as it was loaded. */
struct trace_module {
	struct trace_file_id file;
	uint64_t load_bias;
	uint32_t first_site; /* number of its first site */
	uint32_t sites_count;
};

struct trace_meta {
	char *tool_version;
	uint32_t wire_version;
	uint32_t strategy; /* enum wire_strategy */
	uint32_t model;	   /* enum wire_model */
	uint32_t engine;   /* enum wire_engine */
	uint32_t flags;	   /* enum wire_job_flag */
	uint32_t bound;
	uint64_t seed;
	uint64_t max_steps;
	uint64_t expected_steps;
	char *program; /* path as it was executed */
	char *cwd;
	VEC(char *) argv;    /* argv[0] included; the strings are owned */
	VEC(char *) environ; /* "NAME=value" */
	struct trace_file_id executable;
	VEC(struct trace_module) modules;
};

/* Fills id from the file: size, hash, build id if it is an ELF file that has one. */
int trace_file_id_get(struct trace_file_id *id, const char *path, struct err *e);
void trace_file_id_fini(struct trace_file_id *id);

/*
 * Is the file at id->path still the same?  0, ERR_NOT_FOUND, or ERR_MISMATCH with the difference
 * in words.
 */
int trace_file_id_check(const struct trace_file_id *id, struct err *e);

/* The executable and every module, in that order; the first difference is the error. */
int trace_meta_check_binaries(const struct trace_meta *m, struct err *e);

/* Number of sites of all modules: every valid site number is below it. */
uint32_t trace_meta_site_count(const struct trace_meta *m);

void trace_meta_fini(struct trace_meta *m);

/* The contents of the file "meta".  Decoding fills *m, which must be zeroed and needs fini. */
void trace_meta_encode(const struct trace_meta *m, struct strbuf *to);
int trace_meta_decode(struct trace_meta *m, const void *bytes, size_t n, struct err *e);

#endif
