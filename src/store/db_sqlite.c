/* The collector's database in one SQLite file. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/db.h"

#define BUSY_MS 20000
#define BUSY_STEP_MS 5
#define KEPT 32

struct db {
	sqlite3 *db;
	char *path;
	/* Statements by the address of their text: those of logs.c are constants. */
	struct {
		const char *sql;
		sqlite3_stmt *statement;
	} kept[KEPT];
};

static int fail(const struct db *d, struct err *e)
{
	int rc = d->db ? sqlite3_errcode(d->db) : SQLITE_NOMEM;
	int code = rc == SQLITE_NOTADB || rc == SQLITE_CORRUPT ? ERR_FORMAT : ERR_IO;

	return err_set(e, code, "%s: %s", d->path, d->db ? sqlite3_errmsg(d->db) : "no memory");
}

static void db_close(void *handle)
{
	struct db *d = handle;

	for (unsigned i = 0; i < KEPT; i++)
		sqlite3_finalize(d->kept[i].statement);
	sqlite3_close(d->db);
	free(d->path);
	free(d);
}

/* Changing to a write-ahead log needs the file alone, and SQLite does not wait for that itself. */
static int use_wal(struct db *d, struct err *e)
{
	int rc = SQLITE_BUSY;

	for (int ms = 0; rc == SQLITE_BUSY && ms < BUSY_MS; ms += BUSY_STEP_MS) {
		rc = sqlite3_exec(d->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
		if (rc == SQLITE_BUSY)
			sqlite3_sleep(BUSY_STEP_MS);
	}
	/* What was acknowledged is there after a loss of power, too: one fsync per transaction. */
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(d->db, "PRAGMA synchronous=FULL", NULL, NULL, NULL);
	return rc == SQLITE_OK ? 0 : fail(d, e);
}

static int db_open(const char *where, void **out, struct err *e)
{
	struct db *d = xcalloc(1, sizeof(*d));
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, rc = 0;
	mode_t before = umask(077);

	d->path = xstrdup(where);
	if (sqlite3_open_v2(where, &d->db, flags, NULL) != SQLITE_OK)
		rc = fail(d, e);
	if (!rc) {
		sqlite3_busy_timeout(d->db, BUSY_MS);
		rc = use_wal(d, e);
	}
	umask(before);
	if (rc)
		db_close(d);
	else
		*out = d;
	return rc;
}

static sqlite3_stmt *statement(struct db *d, const char *sql)
{
	unsigned i = 0;

	while (i < KEPT && d->kept[i].sql && d->kept[i].sql != sql)
		i++;
	if (i == KEPT)
		i = 0;
	if (d->kept[i].sql == sql)
		return d->kept[i].statement;
	sqlite3_finalize(d->kept[i].statement);
	d->kept[i].statement = NULL;
	d->kept[i].sql = NULL;
	if (sqlite3_prepare_v2(d->db, sql, -1, &d->kept[i].statement, NULL) != SQLITE_OK)
		return NULL;
	d->kept[i].sql = sql;
	return d->kept[i].statement;
}

static void bind(sqlite3_stmt *q, const struct store_value *args, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int at = (int)i + 1;

		if (args[i].kind == STORE_NUMBER)
			sqlite3_bind_int64(q, at, args[i].number);
		else if (args[i].kind == STORE_TEXT)
			sqlite3_bind_text(q, at, args[i].bytes, (int)args[i].n, SQLITE_STATIC);
		else
			sqlite3_bind_blob64(q, at, args[i].n ? args[i].bytes : "", args[i].n,
					    SQLITE_STATIC);
	}
}

static void take_row(sqlite3_stmt *q, struct store_rows *rows)
{
	for (int i = 0; i < (int)rows->columns; i++) {
		struct store_cell c = {.number = sqlite3_column_int64(q, i)};
		const void *bytes = sqlite3_column_blob(q, i);

		c.n = (size_t)sqlite3_column_bytes(q, i);
		c.bytes = xmalloc(c.n + 1);
		if (c.n)
			memcpy(c.bytes, bytes, c.n);
		c.bytes[c.n] = '\0';
		vec_push(&rows->cells, c);
	}
	rows->count++;
}

static int db_query(void *handle, const char *sql, const struct store_value *args, size_t n,
		    const enum store_kind *kinds, struct store_rows *rows, struct err *e)
{
	struct db *d = handle;
	sqlite3_stmt *q = statement(d, sql);
	int rc;

	(void)kinds;
	if (!q)
		return fail(d, e);
	bind(q, args, n);
	if (rows)
		rows->columns = (size_t)sqlite3_column_count(q);
	while ((rc = sqlite3_step(q)) == SQLITE_ROW)
		if (rows)
			take_row(q, rows);
	rc = rc == SQLITE_DONE ? 0 : fail(d, e);
	sqlite3_reset(q);
	sqlite3_clear_bindings(q);
	return rc;
}

const struct store_db_ops store_db_sqlite = {
	.open = db_open,
	.close = db_close,
	.query = db_query,
	.begin = "BEGIN IMMEDIATE",
};
