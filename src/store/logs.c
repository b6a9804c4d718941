#include "store/logs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/db.h"

#define VERSION 1
#define SQLITE_PREFIX "sqlite:"
#define NUMBER STORE_NUMBER
#define BYTES STORE_BYTES
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct store_logs {
	const struct store_db_ops *ops;
	void *db;
};

/* SQLite takes BIGINT for a number and leaves BYTEA alone: one text for both. */
static const char *const tables[] = {
	"CREATE TABLE IF NOT EXISTS collect(version BIGINT NOT NULL, bytes BIGINT NOT NULL)",
	("CREATE TABLE IF NOT EXISTS failure(id BIGINT PRIMARY KEY, build BYTEA NOT NULL,"
	 " signature BYTEA NOT NULL, outcome BIGINT NOT NULL, elements BIGINT NOT NULL,"
	 " cover BYTEA NOT NULL, logs BIGINT NOT NULL, bytes BIGINT NOT NULL, first BIGINT NOT "
	 "NULL,"
	 " last BIGINT NOT NULL, state BIGINT NOT NULL, tried BIGINT NOT NULL, until BIGINT NOT "
	 "NULL,"
	 " said BYTEA NOT NULL, UNIQUE(build, signature))"),
	("CREATE TABLE IF NOT EXISTS log(hash BYTEA PRIMARY KEY, failure BIGINT NOT NULL,"
	 " number BIGINT NOT NULL, bytes BYTEA NOT NULL, UNIQUE(failure, number))"),
	"CREATE TABLE IF NOT EXISTS bundle(failure BIGINT PRIMARY KEY, bytes BYTEA NOT NULL)",
	"INSERT INTO collect SELECT 1, 0 WHERE NOT EXISTS (SELECT 1 FROM collect)",
};

const struct store_cell *store_rows_at(const struct store_rows *r, size_t row, size_t column)
{
	assert(row < r->count && column < r->columns);
	return &r->cells.items[row * r->columns + column];
}

void store_rows_fini(struct store_rows *r)
{
	for (size_t i = 0; i < r->cells.count; i++)
		free(r->cells.items[i].bytes);
	vec_free(&r->cells);
	r->count = 0;
}

static int run(struct store_logs *s, const char *sql, struct err *e)
{
	return s->ops->query(s->db, sql, NULL, 0, NULL, NULL, e);
}

static int begin(struct store_logs *s, struct err *e)
{
	static const enum store_kind one[] = {NUMBER};
	int rc = run(s, s->ops->begin, e);

	if (!rc && s->ops->lock)
		rc = s->ops->query(s->db, s->ops->lock, NULL, 0, one, NULL, e);
	return rc;
}

/* The end of a transaction: what rc says is kept when ending it works. */
static int end(struct store_logs *s, int rc, struct err *e)
{
	struct err ignored = ERR_INIT;

	if (!rc)
		rc = run(s, "COMMIT", e);
	if (rc)
		run(s, "ROLLBACK", &ignored);
	return rc;
}

static int make_tables(struct store_logs *s, struct err *e)
{
	static const enum store_kind kinds[] = {NUMBER};
	struct store_rows rows = STORE_ROWS_INIT;
	int rc = begin(s, e);

	for (size_t i = 0; i < COUNT(tables) && !rc; i++)
		rc = run(s, tables[i], e);
	if (!rc)
		rc = s->ops->query(s->db, "SELECT version FROM collect", NULL, 0, kinds, &rows, e);
	if (!rc && (rows.count != 1 || store_rows_at(&rows, 0, 0)->number != VERSION))
		rc = err_set(e, ERR_VERSION, "the store was made by another version of heddle");
	store_rows_fini(&rows);
	return end(s, rc, e);
}

int store_logs_open(const char *where, struct store_logs **out, struct err *e)
{
	struct store_logs *s = xcalloc(1, sizeof(*s));
	int rc = 0;

	*out = NULL;
	if (!strncmp(where, SQLITE_PREFIX, strlen(SQLITE_PREFIX))) {
		s->ops = &store_db_sqlite;
		where += strlen(SQLITE_PREFIX);
	} else if (!strncmp(where, "postgresql://", 13) || !strncmp(where, "postgres://", 11)) {
		s->ops = &store_db_pg;
	}
	if (!s->ops || !*where)
		rc = err_set(e, ERR_USAGE, "a store is sqlite:FILE or postgresql://...");
	if (!rc)
		rc = s->ops->open(where, &s->db, e);
	if (!rc)
		rc = make_tables(s, e);
	if (rc)
		store_logs_close(s);
	else
		*out = s;
	return rc;
}

void store_logs_close(struct store_logs *s)
{
	if (!s)
		return;
	if (s->db)
		s->ops->close(s->db);
	free(s);
}

/* ---- additions ---- */

struct totals {
	uint64_t failures, bytes;
};

static int get_totals(struct store_logs *s, struct totals *t, struct err *e)
{
	static const enum store_kind kinds[] = {NUMBER, NUMBER};
	struct store_rows rows = STORE_ROWS_INIT;
	int rc = s->ops->query(s->db, "SELECT (SELECT COUNT(*) FROM failure), bytes FROM collect",
			       NULL, 0, kinds, &rows, e);

	if (!rc && rows.count == 1) {
		t->failures = (uint64_t)store_rows_at(&rows, 0, 0)->number;
		t->bytes = (uint64_t)store_rows_at(&rows, 0, 1)->number;
	}
	store_rows_fini(&rows);
	return rc;
}

static int put_totals(struct store_logs *s, const struct totals *t, struct err *e)
{
	struct store_value args[] = {STORE_OF_NUMBER(t->bytes)};

	return s->ops->query(s->db, "UPDATE collect SET bytes=$1", args, 1, NULL, NULL, e);
}

/* The failure a log is of, as far as an addition needs it. */
struct of {
	int64_t id;
	uint64_t logs;
	struct store_rows rows; /* owns the cover */
	uint8_t *cover;
};

/* id 0: there is none yet. */
static int find_failure(struct store_logs *s, const struct store_log *l, struct of *f,
			enum store_added *out, struct err *e)
{
	static const enum store_kind kinds[] = {NUMBER, NUMBER, NUMBER, BYTES};
	struct store_value args[] = {STORE_OF_BYTES(l->build, sizeof(l->build)),
				     STORE_OF_BYTES(l->signature, strlen(l->signature))};
	int rc = s->ops->query(s->db,
			       "SELECT id, logs, elements, cover FROM failure"
			       " WHERE build=$1 AND signature=$2",
			       args, COUNT(args), kinds, &f->rows, e);

	if (rc || !f->rows.count)
		return rc;
	f->id = store_rows_at(&f->rows, 0, 0)->number;
	f->logs = (uint64_t)store_rows_at(&f->rows, 0, 1)->number;
	f->cover = (uint8_t *)store_rows_at(&f->rows, 0, 3)->bytes;
	if ((uint64_t)store_rows_at(&f->rows, 0, 2)->number != l->elements ||
	    store_rows_at(&f->rows, 0, 3)->n != ((size_t)l->elements + 7) / 8)
		*out = STORE_ODD;
	return 0;
}

/* The numbers of elements of one build agree over all its failures. */
static int check_build(struct store_logs *s, const struct store_log *l, enum store_added *out,
		       struct err *e)
{
	static const enum store_kind kinds[] = {NUMBER};
	struct store_rows rows = STORE_ROWS_INIT;
	struct store_value args[] = {STORE_OF_BYTES(l->build, sizeof(l->build)),
				     STORE_OF_NUMBER(l->elements)};
	int rc = s->ops->query(s->db,
			       "SELECT 1 FROM failure WHERE build=$1 AND elements<>$2 LIMIT 1",
			       args, COUNT(args), kinds, &rows, e);

	if (!rc && rows.count)
		*out = STORE_ODD;
	store_rows_fini(&rows);
	return rc;
}

static int new_failure(struct store_logs *s, const struct store_log *l, struct of *f, struct err *e)
{
	static const enum store_kind kinds[] = {NUMBER};
	struct store_value args[] = {
		STORE_OF_BYTES(l->build, sizeof(l->build)),
		STORE_OF_BYTES(l->signature, strlen(l->signature)),
		STORE_OF_NUMBER(l->outcome),
		STORE_OF_NUMBER(l->elements),
		STORE_OF_BYTES(l->cover, ((size_t)l->elements + 7) / 8),
		STORE_OF_NUMBER(l->time),
		STORE_OF_BYTES("", 0),
	};
	int rc = s->ops->query(s->db,
			       "INSERT INTO failure SELECT COALESCE(MAX(id),0)+1,"
			       "$1,$2,$3,$4,$5,0,0,$6,$6,0,0,0,$7 FROM failure RETURNING id",
			       args, COUNT(args), kinds, &f->rows, e);

	if (!rc && f->rows.count != 1)
		rc = err_set(e, ERR_INTERNAL, "the store did not take a failure");
	if (!rc)
		f->id = store_rows_at(&f->rows, 0, 0)->number;
	return rc;
}

static int put_log(struct store_logs *s, const struct store_log *l, struct of *f, struct err *e)
{
	size_t n = ((size_t)l->elements + 7) / 8;
	struct store_value row[] = {STORE_OF_BYTES(l->hash, sizeof(l->hash)),
				    STORE_OF_NUMBER(f->id), STORE_OF_NUMBER(f->logs + 1),
				    STORE_OF_BYTES(l->bytes, l->n)};
	struct store_value change[] = {STORE_OF_BYTES(f->cover ? f->cover : l->cover, n),
				       STORE_OF_NUMBER(l->n), STORE_OF_NUMBER(l->time),
				       STORE_OF_NUMBER(f->id)};
	int rc;

	for (size_t i = 0; i < n && f->cover; i++)
		f->cover[i] |= l->cover[i];
	rc = s->ops->query(s->db, "INSERT INTO log VALUES($1,$2,$3,$4)", row, COUNT(row), NULL,
			   NULL, e);
	if (!rc)
		rc = s->ops->query(s->db,
				   "UPDATE failure SET cover=$1, bytes=bytes+$2, last=$3,"
				   " logs=logs+1 WHERE id=$4",
				   change, COUNT(change), NULL, NULL, e);
	return rc;
}

static int add(struct store_logs *s, const struct store_log *l, const struct store_quota *quota,
	       struct totals *t, enum store_added *out, struct err *e)
{
	struct of f = {.id = 0, .rows = STORE_ROWS_INIT};
	bool has = false;
	int rc = store_logs_has(s, l->hash, &has, e);

	*out = has ? STORE_KNOWN : STORE_FRESH;
	if (!rc && *out == STORE_FRESH)
		rc = find_failure(s, l, &f, out, e);
	if (!rc && *out == STORE_FRESH && !f.id)
		rc = check_build(s, l, out, e);
	if (!rc && *out == STORE_FRESH &&
	    (f.logs >= quota->logs || (!f.id && t->failures >= quota->failures) ||
	     t->bytes + l->n > quota->bytes))
		*out = STORE_FULL;
	if (!rc && *out == STORE_FRESH && !f.id) {
		rc = new_failure(s, l, &f, e);
		t->failures += !rc;
	}
	if (!rc && *out == STORE_FRESH) {
		rc = put_log(s, l, &f, e);
		t->bytes += l->n;
	}
	store_rows_fini(&f.rows);
	return rc;
}

int store_logs_add(struct store_logs *s, const struct store_log *const *logs, size_t n,
		   const struct store_quota *quota, enum store_added *out, struct err *e)
{
	struct totals t = {0, 0};
	int rc = begin(s, e);

	if (!rc)
		rc = get_totals(s, &t, e);
	for (size_t i = 0; i < n && !rc; i++)
		rc = add(s, logs[i], quota, &t, &out[i], e);
	if (!rc)
		rc = put_totals(s, &t, e);
	return end(s, rc, e);
}

/* ---- questions ---- */

int store_logs_has(struct store_logs *s, const uint8_t hash[SHA256_BYTES], bool *has, struct err *e)
{
	static const enum store_kind kinds[] = {NUMBER};
	struct store_value args[] = {STORE_OF_BYTES(hash, SHA256_BYTES)};
	struct store_rows rows = STORE_ROWS_INIT;
	int rc = s->ops->query(s->db, "SELECT 1 FROM log WHERE hash=$1", args, 1, kinds, &rows, e);

	*has = !rc && rows.count;
	store_rows_fini(&rows);
	return rc;
}

static int one_blob(struct store_logs *s, const char *sql, const struct store_value *arg,
		    struct strbuf *to, struct err *e)
{
	static const enum store_kind kinds[] = {BYTES};
	struct store_rows rows = STORE_ROWS_INIT;
	int rc = s->ops->query(s->db, sql, arg, 1, kinds, &rows, e);

	if (!rc && !rows.count)
		rc = err_set(e, ERR_NOT_FOUND, "there is no such thing");
	if (!rc)
		strbuf_add_bytes(to, store_rows_at(&rows, 0, 0)->bytes,
				 store_rows_at(&rows, 0, 0)->n);
	store_rows_fini(&rows);
	return rc;
}

int store_logs_get(struct store_logs *s, const uint8_t hash[SHA256_BYTES], struct strbuf *to,
		   struct err *e)
{
	struct store_value arg = STORE_OF_BYTES(hash, SHA256_BYTES);

	return one_blob(s, "SELECT bytes FROM log WHERE hash=$1", &arg, to, e);
}

int store_merge_bundle(struct store_logs *s, int64_t failure, struct strbuf *to, struct err *e)
{
	struct store_value arg = STORE_OF_NUMBER(failure);

	return one_blob(s, "SELECT bytes FROM bundle WHERE failure=$1", &arg, to, e);
}

static uint32_t count_bits(const struct store_cell *c)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < c->n; i++)
		bits += (uint32_t)__builtin_popcount((uint8_t)c->bytes[i]);
	return bits;
}

static void take_failure(const struct store_rows *r, size_t i, struct store_failures *out)
{
	const struct store_cell *c = store_rows_at(r, i, 0);
	struct store_failure f = {.id = c[0].number,
				  .outcome = (uint8_t)c[3].number,
				  .elements = (uint32_t)c[4].number,
				  .covered = count_bits(&c[5]),
				  .logs = (uint64_t)c[6].number,
				  .bytes = (uint64_t)c[7].number,
				  .first = (uint64_t)c[8].number,
				  .last = (uint64_t)c[9].number,
				  .tried = (uint64_t)c[11].number,
				  .until = (uint64_t)c[12].number};

	if (c[1].n == sizeof(f.build))
		memcpy(f.build, c[1].bytes, sizeof(f.build));
	if (c[10].number > 0 && c[10].number < STORE_MERGES)
		f.state = (enum store_merge)c[10].number;
	f.signature = xstrdup(c[2].bytes);
	f.text = xstrdup(c[13].bytes);
	vec_push(out, f);
}

int store_logs_failures(struct store_logs *s, struct store_failures *out, struct err *e)
{
	static const enum store_kind kinds[] = {NUMBER, BYTES,	BYTES,	NUMBER, NUMBER,
						BYTES,	NUMBER, NUMBER, NUMBER, NUMBER,
						NUMBER, NUMBER, NUMBER, BYTES};
	struct store_rows rows = STORE_ROWS_INIT;
	int rc = s->ops->query(s->db,
			       "SELECT id, build, signature, outcome, elements, cover, logs, bytes,"
			       " first, last, state, tried, until, said FROM failure"
			       " ORDER BY build, logs DESC, id",
			       NULL, 0, kinds, &rows, e);

	for (size_t i = 0; i < rows.count && !rc; i++)
		take_failure(&rows, i, out);
	store_rows_fini(&rows);
	return rc;
}

void store_failures_fini(struct store_failures *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->items[i].signature);
		free(f->items[i].text);
	}
	vec_free(f);
}

int store_logs_each(struct store_logs *s, int64_t failure, uint64_t limit, store_log_fn each,
		    void *arg, struct err *e)
{
	static const enum store_kind kinds[] = {BYTES};
	struct store_value args[] = {STORE_OF_NUMBER(failure), STORE_OF_NUMBER(limit)};
	struct store_rows rows = STORE_ROWS_INIT;
	int rc = s->ops->query(s->db,
			       "SELECT bytes FROM log WHERE failure=$1 ORDER BY number DESC"
			       " LIMIT $2",
			       args, COUNT(args), kinds, &rows, e);

	for (size_t i = 0; i < rows.count && !rc; i++)
		rc = each(arg, store_rows_at(&rows, i, 0)->bytes, store_rows_at(&rows, i, 0)->n, e);
	store_rows_fini(&rows);
	return rc;
}

int store_logs_hashes(struct store_logs *s, int64_t failure, struct strbuf *to, struct err *e)
{
	static const enum store_kind kinds[] = {BYTES};
	struct store_value args[] = {STORE_OF_NUMBER(failure)};
	struct store_rows rows = STORE_ROWS_INIT;
	int rc = s->ops->query(s->db, "SELECT hash FROM log WHERE failure=$1 ORDER BY number", args,
			       COUNT(args), kinds, &rows, e);

	for (size_t i = 0; i < rows.count && !rc; i++) {
		const struct store_cell *c = store_rows_at(&rows, i, 0);
		char text[SHA256_TEXT];

		if (c->n != SHA256_BYTES)
			continue;
		sha256_text((const uint8_t *)c->bytes, text);
		strbuf_addf(to, "%s\n", text);
	}
	store_rows_fini(&rows);
	return rc;
}

/* ---- merges ---- */

int store_merge_claim(struct store_logs *s, int64_t failure, uint64_t now, uint64_t until,
		      bool *got, struct err *e)
{
	static const enum store_kind kinds[] = {NUMBER};
	struct store_value args[] = {STORE_OF_NUMBER(until), STORE_OF_NUMBER(failure),
				     STORE_OF_NUMBER(now)};
	struct store_rows rows = STORE_ROWS_INIT;
	int rc = begin(s, e);

	if (!rc)
		rc = s->ops->query(s->db,
				   "UPDATE failure SET state=1, until=$1 WHERE id=$2 AND state<>2"
				   " AND (state<>1 OR until<$3) RETURNING id",
				   args, COUNT(args), kinds, &rows, e);
	*got = !rc && rows.count == 1;
	store_rows_fini(&rows);
	return end(s, rc, e);
}

int store_merge_end(struct store_logs *s, const struct store_failure *f,
		    const struct strbuf *bundle, struct err *e)
{
	struct store_value args[] = {STORE_OF_NUMBER(f->state), STORE_OF_NUMBER(f->tried),
				     STORE_OF_BYTES(f->text, strlen(f->text)),
				     STORE_OF_NUMBER(f->id)};
	int rc = begin(s, e);

	if (!rc)
		rc = s->ops->query(s->db,
				   "UPDATE failure SET state=$1, tried=$2, said=$3, until=0"
				   " WHERE id=$4",
				   args, COUNT(args), NULL, NULL, e);
	if (!rc && bundle) {
		struct store_value row[] = {STORE_OF_NUMBER(f->id),
					    STORE_OF_BYTES(bundle->text, bundle->length)};

		rc = s->ops->query(s->db,
				   "INSERT INTO bundle VALUES($1,$2) ON CONFLICT(failure)"
				   " DO UPDATE SET bytes=excluded.bytes",
				   row, COUNT(row), NULL, NULL, e);
	}
	return end(s, rc, e);
}
