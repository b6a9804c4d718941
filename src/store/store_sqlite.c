/* The only file that knows SQLite. */
#include <assert.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/store.h"

#define BUSY_MS 20000
#define BUSY_STEP_MS 5

struct store {
	sqlite3 *db;
	char *path;
	bool write;
	sqlite3_stmt *run_add, *proof_add, *proof_has;
};

/* By version: what makes it of the one before.  Never changed, only added to. */
static const char *const migrations[] = {
	"CREATE TABLE run(build INTEGER NOT NULL, paths INTEGER NOT NULL, name TEXT NOT NULL,"
	" times INTEGER NOT NULL, PRIMARY KEY(build, paths));"
	"CREATE TABLE proof(build INTEGER NOT NULL, assertion INTEGER NOT NULL,"
	" combination INTEGER NOT NULL, PRIMARY KEY(build, assertion, combination)) WITHOUT ROWID;",
	/* Of the old ones it is not known what they are about: two pairs could have had one number.
	 */
	"DROP TABLE proof;"
	"CREATE TABLE proof(build INTEGER NOT NULL, key BLOB NOT NULL, place TEXT NOT NULL,"
	" PRIMARY KEY(build, key)) WITHOUT ROWID;",
};
#define VERSION (int)(sizeof(migrations) / sizeof(migrations[0]))

static int fail(const struct store *s, struct err *e)
{
	int rc = s->db ? sqlite3_errcode(s->db) & 0xff : SQLITE_NOMEM, code = ERR_IO;

	if (rc == SQLITE_NOTADB || rc == SQLITE_CORRUPT)
		code = ERR_FORMAT;
	if (rc == SQLITE_CANTOPEN && access(s->path, F_OK) != 0)
		code = ERR_NOT_FOUND;
	if (rc == SQLITE_BUSY)
		return err_set(e, ERR_IO, "%s is being written by another heddle", s->path);
	/* Of a full disk SQLite says only that it had trouble. */
	if (rc == SQLITE_IOERR && sqlite3_system_errno(s->db))
		return err_set(e, code, "%s: %s (%s)", s->path, sqlite3_errmsg(s->db),
			       strerror(sqlite3_system_errno(s->db)));
	return err_set(e, code, "%s: %s", s->path, s->db ? sqlite3_errmsg(s->db) : "no memory");
}

static int execute(struct store *s, const char *sql, struct err *e)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(s, e);
}

/*
 * Turning a file into one with a write-ahead log needs it alone, and SQLite does not wait for that
 * by itself: of two that open a new file at the same time, one would be sent away.
 */
static int use_wal(struct store *s, struct err *e)
{
	int rc = SQLITE_BUSY;

	for (int ms = 0; rc == SQLITE_BUSY && ms < BUSY_MS; ms += BUSY_STEP_MS) {
		rc = sqlite3_exec(s->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
		if (rc == SQLITE_BUSY)
			sqlite3_sleep(BUSY_STEP_MS);
	}
	if (rc != SQLITE_OK)
		return fail(s, e);
	/* Whole after every crash of a process; only one of the machine may cost the last rows. */
	return execute(s, "PRAGMA synchronous=NORMAL", e);
}

static int number_of(struct store *s, const char *sql, uint64_t build, uint64_t *out, struct err *e)
{
	sqlite3_stmt *q = NULL;
	int rc = 0;

	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK)
		return fail(s, e);
	if (sqlite3_bind_parameter_count(q))
		sqlite3_bind_int64(q, 1, (sqlite3_int64)build);
	if (sqlite3_step(q) == SQLITE_ROW)
		*out = (uint64_t)sqlite3_column_int64(q, 0);
	else
		rc = fail(s, e);
	sqlite3_finalize(q);
	return rc;
}

/* Two may open a new file at the same time: who is later finds the work done. */
static int migrate(struct store *s, struct err *e)
{
	uint64_t version = 0;
	char sql[64];
	int rc = execute(s, "BEGIN IMMEDIATE", e);

	if (rc == 0)
		rc = number_of(s, "PRAGMA user_version", 0, &version, e);
	for (uint64_t v = version; rc == 0 && v < VERSION; v++)
		rc = execute(s, migrations[v], e);
	sqlite3_snprintf(sizeof(sql), sql, "PRAGMA user_version=%d", VERSION);
	if (rc == 0 && version < VERSION)
		rc = execute(s, sql, e);
	if (rc == 0)
		rc = execute(s, "COMMIT", e);
	return rc;
}

/* A view by that name could take for ever, or say anything. */
static int check_tables(struct store *s, struct err *e)
{
	uint64_t tables = 0;
	int rc = number_of(s,
			   "SELECT COUNT(*) FROM sqlite_schema WHERE type='table' AND"
			   " name IN('run','proof') AND sql NOT LIKE 'CREATE VIRTUAL%'",
			   0, &tables, e);

	return rc == 0 && tables != 2 ? err_set(e, ERR_FORMAT, "%s is no store of heddle", s->path)
				      : rc;
}

static int check_version(struct store *s, struct err *e)
{
	uint64_t version = 0;
	int rc = number_of(s, "PRAGMA user_version", 0, &version, e);

	if (rc == 0 && version > VERSION)
		return err_set(e, ERR_FORMAT, "%s was written by a newer heddle (version %llu)",
			       s->path, (unsigned long long)version);
	if (rc == 0 && version < VERSION)
		rc = s->write ? migrate(s, e)
			      : err_set(e, ERR_FORMAT, "%s is no store of heddle", s->path);
	return rc == 0 ? check_tables(s, e) : rc;
}

static int prepare(struct store *s, struct err *e)
{
	const struct {
		sqlite3_stmt **to;
		const char *sql;
	} rows[] = {
		{&s->run_add, "INSERT INTO run VALUES(?1,?2,?3,1)"
			      " ON CONFLICT DO UPDATE SET times=times+1 RETURNING times"},
		{&s->proof_add, "INSERT OR IGNORE INTO proof VALUES(?1,?2,?3)"},
		{&s->proof_has, "SELECT 1 FROM proof WHERE build=?1 AND key=?2"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (sqlite3_prepare_v2(s->db, rows[i].sql, -1, rows[i].to, NULL) != SQLITE_OK)
			return fail(s, e);
	return 0;
}

int store_open(const char *path, bool write, struct store **out, struct err *e)
{
	struct store *s = xcalloc(1, sizeof(*s));
	int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
	int rc = 0;

	s->path = xstrdup(path);
	s->write = write;
	*out = NULL;
	if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK)
		rc = fail(s, e);
	if (rc == 0)
		sqlite3_busy_timeout(s->db, BUSY_MS);
	/* Somebody else may have made the file. */
	if (rc == 0)
		rc = execute(s, "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON", e);
	if (rc == 0 && write)
		rc = use_wal(s, e);
	if (rc == 0)
		rc = check_version(s, e);
	if (rc == 0)
		rc = prepare(s, e);
	if (rc == 0)
		*out = s;
	else
		store_close(s);
	return rc;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	sqlite3_finalize(s->run_add);
	sqlite3_finalize(s->proof_add);
	sqlite3_finalize(s->proof_has);
	sqlite3_close(s->db);
	free(s->path);
	free(s);
}

bool store_is(const char *path)
{
	struct store *s = NULL;
	struct err e = ERR_INIT;
	bool is = store_open(path, false, &s, &e) == 0;

	store_close(s);
	return is;
}

/* ---- additions: each one is a transaction, so that nobody waits for one who thinks ---- */

int store_run_add(struct store *s, uint64_t build, uint64_t paths, const char *name, bool *fresh,
		  struct err *e)
{
	int rc = 0;

	assert(s->write);
	sqlite3_bind_int64(s->run_add, 1, (sqlite3_int64)build);
	sqlite3_bind_int64(s->run_add, 2, (sqlite3_int64)paths);
	sqlite3_bind_text(s->run_add, 3, name, -1, SQLITE_TRANSIENT);
	*fresh = sqlite3_step(s->run_add) == SQLITE_ROW && sqlite3_column_int64(s->run_add, 0) == 1;
	/* The row that comes back is not the end of the statement. */
	if (sqlite3_reset(s->run_add) != SQLITE_OK) {
		*fresh = false;
		rc = fail(s, e);
	}
	return rc;
}

static void bind_key(sqlite3_stmt *q, uint64_t build, const uint8_t key[STORE_KEY_BYTES])
{
	sqlite3_bind_int64(q, 1, (sqlite3_int64)build);
	sqlite3_bind_blob(q, 2, key, STORE_KEY_BYTES, SQLITE_TRANSIENT);
}

int store_proof_add(struct store *s, uint64_t build, const uint8_t key[STORE_KEY_BYTES],
		    const char *place, struct err *e)
{
	int rc;

	assert(s->write);
	bind_key(s->proof_add, build, key);
	sqlite3_bind_text(s->proof_add, 3, place, -1, SQLITE_TRANSIENT);
	rc = sqlite3_step(s->proof_add) == SQLITE_DONE ? 0 : fail(s, e);
	sqlite3_reset(s->proof_add);
	return rc;
}

/* ---- questions ---- */

bool store_proof_has(struct store *s, uint64_t build, const uint8_t key[STORE_KEY_BYTES])
{
	bool has;

	bind_key(s->proof_has, build, key);
	has = sqlite3_step(s->proof_has) == SQLITE_ROW;
	sqlite3_reset(s->proof_has);
	return has;
}

int store_runs(struct store *s, uint64_t build, store_run_fn each, void *arg, struct err *e)
{
	sqlite3_stmt *q = NULL;
	int rc = 0, step;

	if (sqlite3_prepare_v2(s->db,
			       "SELECT name, paths, times FROM run WHERE build=?1 ORDER BY rowid",
			       -1, &q, NULL) != SQLITE_OK)
		return fail(s, e);
	sqlite3_bind_int64(q, 1, (sqlite3_int64)build);
	while (rc == 0 && (step = sqlite3_step(q)) != SQLITE_DONE) {
		const char *name;

		if (step != SQLITE_ROW) {
			rc = fail(s, e);
			break;
		}
		name = (const char *)sqlite3_column_text(q, 0);
		rc = each(arg, name ? name : "", (uint64_t)sqlite3_column_int64(q, 1),
			  (uint64_t)sqlite3_column_int64(q, 2), e);
	}
	sqlite3_finalize(q);
	return rc;
}

int store_places(struct store *s, uint64_t build, store_place_fn each, void *arg, struct err *e)
{
	sqlite3_stmt *q = NULL;
	int rc = 0, step;

	if (sqlite3_prepare_v2(s->db,
			       "SELECT place, COUNT(*) FROM proof WHERE ?1=0 OR build=?1"
			       " GROUP BY place ORDER BY place",
			       -1, &q, NULL) != SQLITE_OK)
		return fail(s, e);
	sqlite3_bind_int64(q, 1, (sqlite3_int64)build);
	while (rc == 0 && (step = sqlite3_step(q)) != SQLITE_DONE) {
		const char *place;

		if (step != SQLITE_ROW) {
			rc = fail(s, e);
			break;
		}
		place = (const char *)sqlite3_column_text(q, 0);
		rc = each(arg, place ? place : "", (uint64_t)sqlite3_column_int64(q, 1), e);
	}
	sqlite3_finalize(q);
	return rc;
}

int store_count(struct store *s, uint64_t build, struct store_counts *out, struct err *e)
{
	int rc = number_of(s, "SELECT COUNT(DISTINCT build) FROM run", 0, &out->builds, e);

	if (rc == 0)
		rc = number_of(s, "SELECT COUNT(*) FROM run WHERE ?1=0 OR build=?1", build,
			       &out->runs, e);
	if (rc == 0)
		rc = number_of(s, "SELECT COALESCE(SUM(times),0) FROM run WHERE ?1=0 OR build=?1",
			       build, &out->seen, e);
	if (rc == 0)
		rc = number_of(s, "SELECT COUNT(*) FROM proof WHERE ?1=0 OR build=?1", build,
			       &out->proofs, e);
	return rc;
}
