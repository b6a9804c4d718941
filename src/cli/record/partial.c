#include "cli/record/partial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "coop/elements.h"
#include "coop/orders.h"
#include "coop/signature.h"
#include "wire/coop.h"
#include "record/derive.h"

/* The elements of the profile are those of the program. */
static int check_profile(void *arg, struct err *e)
{
	const struct cli_partial *p = arg;
	struct coop_elements x = {.names = VEC_INIT};
	int rc = coop_elements_find(&x, p->program, p->profile.flavour, e);
	bool same = !rc && p->profile.elements == x.names.count &&
		    !memcmp(p->profile.build, x.build, sizeof(x.build));

	for (size_t i = 0; i < p->profile.chosen.count && same; i++) {
		const struct coop_chosen *c = &p->profile.chosen.items[i];

		same = !strcmp(c->name, x.names.items[c->element]);
	}
	if (!rc && !same)
		rc = err_set(e, ERR_MISMATCH, "the logging profile is of another build than %s",
			     p->program);
	coop_elements_fini(&x);
	return rc;
}

/* What the compiler is told: the elements of the profile, or all of the program. */
static int list_wanted(const struct cli_partial *p, struct strbuf *to, struct err *e)
{
	struct coop_elements x = {.names = VEC_INIT};
	int rc;

	if (p->profile.flavour == COOP_BLOCKS)
		strbuf_add(to, COOP_WANTED_BLOCKS "\n");
	if (p->profile.flavour == COOP_GLOBAL)
		strbuf_add(to, COOP_WANTED_GLOBAL "\n");
	if (p->profile.flavour != COOP_GLOBAL && !p->dynamic) {
		for (size_t i = 0; i < p->profile.chosen.count; i++)
			strbuf_addf(to, "%s\n", p->profile.chosen.items[i].name);
		return 0;
	}
	/* The one order is of all blocks, which the profile does not name. */
	rc = coop_elements_find(&x, p->program,
				p->profile.flavour == COOP_ORDER ? COOP_ORDER : COOP_BLOCKS, e);
	for (size_t i = 0; i < x.names.count && !rc; i++)
		strbuf_addf(to, "%s\n", x.names.items[i]);
	coop_elements_fini(&x);
	return rc;
}

int cli_partial_begin(struct cli_partial *p, const char *path, const char *program, char **derived,
		      struct err *e)
{
	struct strbuf wanted = STRBUF_INIT, key = STRBUF_INIT;
	struct record_elements o = {.program = program, .check = check_profile, .arg = p};
	int rc = coop_profile_read(&p->profile, path, e);

	p->program = program;
	/* One that is built for all is of no use for another program: that is found out here. */
	if (!rc && p->dynamic)
		rc = check_profile(p, e);
	if (!rc)
		rc = list_wanted(p, &wanted, e);
	if (rc) {
		strbuf_free(&wanted);
		return rc;
	}
	if (p->dynamic)
		strbuf_addf(&key, "all elements of kind %u", p->profile.flavour);
	else
		coop_profile_text(&p->profile, &key);
	o.wanted = wanted.text;
	o.key = fs_hash(FS_HASH_START, key.text, key.length);
	rc = record_derive_elements(&o, derived, e);
	strbuf_free(&wanted);
	strbuf_free(&key);
	return rc;
}

void cli_partial_fini(struct cli_partial *p)
{
	coop_profile_fini(&p->profile);
}

/* The user's alone, and never over another one. */
static int write_log(void *arg, const char *name, struct err *e)
{
	const struct strbuf *bytes = arg;
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_errno(e, errno == EEXIST ? ERR_EXISTS : ERR_IO, "cannot create %s",
				 name);
	if (fs_write_all(fd, bytes->text, bytes->length) || fsync(fd)) {
		err_errno(e, ERR_IO, "cannot write %s", name);
		close(fd);
		unlink(name);
		return e->code;
	}
	close(fd);
	return 0;
}

int cli_partial_keep(const struct cli_partial *p, const struct record_live *live,
		     const struct trace_recording *r, const struct cli_out *out, char **path,
		     struct err *e)
{
	struct coop_orders orders = {
		.dir = live->dir, .ctl = live->ctl, .profile = &p->profile, .all = p->dynamic};
	struct coop_log l = {.flavour = COOP_ORDER};
	struct strbuf signature = STRBUF_INIT, bytes = STRBUF_INIT;
	struct timespec now;
	int rc = coop_orders_read(&orders, &l, e);

	clock_gettime(CLOCK_REALTIME, &now);
	l.time_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	if (getrandom(&l.run_id, sizeof(l.run_id), 0) != (ssize_t)sizeof(l.run_id))
		l.run_id = l.time_ns;
	l.outcome = r->failure.kind == RECORD_FAIL_NONE	      ? COOP_OK
		    : r->failure.kind == RECORD_FAIL_DEADLOCK ? COOP_HANG
							      : COOP_CRASH;
	coop_signature_make(r, &signature);
	l.signature = xstrdup(signature.text ? signature.text : "");
	if (!rc && orders.lost)
		fprintf(stderr, "heddle record: the order of %u of %zu elements was lost\n",
			orders.lost, p->profile.chosen.count);
	if (!rc) {
		coop_log_encode(&l, &bytes);
		rc = cli_out_put(out, write_log, &bytes, path, e);
	}
	strbuf_free(&signature);
	strbuf_free(&bytes);
	coop_log_fini(&l);
	return rc;
}
