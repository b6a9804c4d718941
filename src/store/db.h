/*
 * A database as the rest of the room sees it: statements with arguments, rows that come back.
 * Arguments are written $1, $2, …, each for the first time in that order; SQL that both backends
 * know.  A handle is used by one thread at a time.
 */
#ifndef HEDDLE_STORE_DB_H
#define HEDDLE_STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

enum store_kind { STORE_NUMBER, STORE_TEXT, STORE_BYTES };

struct store_value {
	enum store_kind kind;
	int64_t number;
	const void *bytes; /* of TEXT and BYTES; borrowed */
	size_t n;
};

#define STORE_OF_NUMBER(x) ((struct store_value){.kind = STORE_NUMBER, .number = (int64_t)(x)})
#define STORE_OF_TEXT(x) ((struct store_value){.kind = STORE_TEXT, .bytes = (x), .n = strlen(x)})
#define STORE_OF_BYTES(x, len) ((struct store_value){.kind = STORE_BYTES, .bytes = (x), .n = (len)})

struct store_cell {
	int64_t number;
	char *bytes; /* owned, NUL-terminated; "" for numbers and nulls */
	size_t n;
};

struct store_rows {
	size_t columns, count;
	VEC(struct store_cell) cells; /* row by row */
};

#define STORE_ROWS_INIT                                                                            \
	{                                                                                          \
		0, 0, VEC_INIT                                                                     \
	}

const struct store_cell *store_rows_at(const struct store_rows *r, size_t row, size_t column);
void store_rows_fini(struct store_rows *r);

struct store_db_ops {
	int (*open)(const char *where, void **db, struct err *e);
	void (*close)(void *db);
	/* A kind per column of the result, as many as there are; rows may be NULL. */
	int (*query)(void *db, const char *sql, const struct store_value *args, size_t n,
		     const enum store_kind *kinds, struct store_rows *rows, struct err *e);
	/* Begins a transaction that no other writer is in at the same time. */
	const char *begin;
	const char *lock; /* the first statement of it; NULL: none is needed */
};

extern const struct store_db_ops store_db_sqlite, store_db_pg;

#endif
