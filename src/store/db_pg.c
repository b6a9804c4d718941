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
	bool lost; /* to be made anew before it is used */
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

/* May be asked again when nobody knows whether it was carried out. */
static bool is_harmless(const char *sql)
{
	return !strncmp(sql, "SELECT", 6) || !strcmp(sql, store_db_pg.begin);
}

/* The connection is gone: libpq knows, or says so, or these are the server's last words (class
 * 57P). */
static bool is_lost(const struct db *d, const PGresult *r)
{
	const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);

	if (PQstatus(d->connection) != CONNECTION_OK)
		return true;
	return PQresultStatus(r) == PGRES_FATAL_ERROR && (!state || !strncmp(state, "57P", 3));
}

/* A server that was away closed the connection; that is noticed when it is used. */
static PGresult *ask(struct db *d, const char *sql, const struct args *a, size_t n)
{
	bool outside = PQtransactionStatus(d->connection) == PQTRANS_IDLE;
	PGresult *r = NULL;

	for (int times = 0; times < 2; times++) {
		/* What was under way then has failed. */
		if (d->lost || PQstatus(d->connection) != CONNECTION_OK)
			PQreset(d->connection);
		PQclear(r);
		r = PQexecParams(d->connection, sql, (int)n, a->types, a->values, a->lengths,
				 a->formats, 0);
		d->lost = is_lost(d, r);
		if (!d->lost || !outside || !is_harmless(sql))
			break;
	}
	return r;
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
	fill(&a, args, n);
	r = ask(d, sql, &a, n);
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
