/* The collector's database in PostgreSQL, for several daemons.  The only file that knows libpq. */
#include <inttypes.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/db.h"

#define MAX_ARGS 16
#define OID_INT8 20
#define OID_TEXT 25
#define OID_BYTEA 17

struct db {
	PGconn *connection;
};

/* Messages of the server end with a newline; what it says of a connection has no password in it. */
static int fail(struct db *d, const char *text, struct err *e)
{
	(void)d;
	return err_set(e, ERR_IO, "PostgreSQL: %.*s", (int)strcspn(text, "\n"), text);
}

static void db_close(void *handle)
{
	struct db *d = handle;

	PQfinish(d->connection);
	free(d);
}

static void say_nothing(void *arg, const char *message)
{
}

static int db_open(const char *where, void **out, struct err *e)
{
	struct db *d = xcalloc(1, sizeof(*d));
	int rc = 0;

	d->connection = PQconnectdb(where);
	if (PQstatus(d->connection) != CONNECTION_OK)
		rc = fail(d, PQerrorMessage(d->connection), e);
	else
		PQsetNoticeProcessor(d->connection, say_nothing, NULL);
	if (rc)
		db_close(d);
	else
		*out = d;
	return rc;
}

struct args {
	Oid types[MAX_ARGS];
	const char *values[MAX_ARGS];
	int lengths[MAX_ARGS], formats[MAX_ARGS];
	char numbers[MAX_ARGS][24];
};

static void fill(struct args *a, const struct store_value *args, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (args[i].kind == STORE_NUMBER) {
			snprintf(a->numbers[i], sizeof(a->numbers[i]), "%" PRId64, args[i].number);
			a->types[i] = OID_INT8;
			a->values[i] = a->numbers[i];
		} else {
			a->types[i] = args[i].kind == STORE_TEXT ? OID_TEXT : OID_BYTEA;
			a->values[i] = args[i].n ? args[i].bytes : "";
			a->lengths[i] = (int)args[i].n;
			a->formats[i] = 1;
		}
	}
}

static struct store_cell cell(PGresult *r, int row, int column, enum store_kind kind)
{
	const char *text = PQgetvalue(r, row, column);
	struct store_cell c = {.n = 0};

	if (kind == STORE_BYTES) {
		unsigned char *plain = PQunescapeBytea((const unsigned char *)text, &c.n);

		c.bytes = xmalloc(c.n + 1);
		if (plain && c.n)
			memcpy(c.bytes, plain, c.n);
		PQfreemem(plain);
	} else {
		c.n = strlen(text);
		c.bytes = xmalloc(c.n + 1);
		memcpy(c.bytes, text, c.n);
		c.number = kind == STORE_NUMBER ? strtoll(text, NULL, 10) : 0;
	}
	c.bytes[c.n] = '\0';
	return c;
}

static void take(PGresult *r, const enum store_kind *kinds, struct store_rows *rows)
{
	rows->columns = (size_t)PQnfields(r);
	for (int i = 0; i < PQntuples(r); i++, rows->count++)
		for (int k = 0; k < (int)rows->columns; k++)
			vec_push(&rows->cells, cell(r, i, k, kinds[k]));
}

static int db_query(void *handle, const char *sql, const struct store_value *args, size_t n,
		    const enum store_kind *kinds, struct store_rows *rows, struct err *e)
{
	struct db *d = handle;
	struct args a = {.types = {0}};
	PGresult *r;
	int rc = 0;

	if (n > MAX_ARGS)
		return err_set(e, ERR_INTERNAL, "too many arguments");
	/* After the server was away; what was under way then has failed. */
	if (PQstatus(d->connection) != CONNECTION_OK)
		PQreset(d->connection);
	fill(&a, args, n);
	r = PQexecParams(d->connection, sql, (int)n, a.types, a.values, a.lengths, a.formats, 0);
	if (PQresultStatus(r) == PGRES_TUPLES_OK) {
		if (rows)
			take(r, kinds, rows);
	} else if (PQresultStatus(r) != PGRES_COMMAND_OK) {
		rc = fail(d, PQerrorMessage(d->connection), e);
	}
	PQclear(r);
	return rc;
}

const struct store_db_ops store_db_pg = {
	.open = db_open,
	.close = db_close,
	.query = db_query,
	.begin = "BEGIN",
	/* Of all daemons one writes at a time: quotas are exact, and no two wait for each other. */
	.lock = "SELECT 1 FROM (SELECT pg_advisory_xact_lock(7161394023)) AS held",
};
