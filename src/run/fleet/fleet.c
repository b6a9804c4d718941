#include "run/fleet/fleet.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum fleet_state { FLEET_IDLE, FLEET_WORK, FLEET_QUIT };

static void *live(void *arg)
{
	struct run_fleet_member *m = arg;
	struct run_fleet *f = m->fleet;

	pthread_mutex_lock(&f->lock);
	while (m->state != FLEET_QUIT) {
		if (m->state == FLEET_IDLE) {
			pthread_cond_wait(&f->changed, &f->lock);
			continue;
		}
		pthread_mutex_unlock(&f->lock);
		f->work(f->arg, m->number, m->guest);
		pthread_mutex_lock(&f->lock);
		m->state = FLEET_IDLE;
		pthread_cond_broadcast(&f->changed);
	}
	pthread_mutex_unlock(&f->lock);
	run_guest_stop(m->guest);
	return NULL;
}

static void set_state(struct run_fleet_member *m, enum fleet_state state)
{
	pthread_mutex_lock(&m->fleet->lock);
	assert(m->state == FLEET_IDLE);
	m->state = state;
	pthread_cond_broadcast(&m->fleet->changed);
	pthread_mutex_unlock(&m->fleet->lock);
}

static void wait_idle(struct run_fleet_member *m)
{
	pthread_mutex_lock(&m->fleet->lock);
	while (m->state == FLEET_WORK)
		pthread_cond_wait(&m->fleet->changed, &m->fleet->lock);
	pthread_mutex_unlock(&m->fleet->lock);
}

static int add_member(struct run_fleet *f, struct run_guest *guest,
		      const struct run_guest_opts *opts, struct err *e)
{
	struct run_fleet_member *m = xcalloc(1, sizeof(*m));
	int rc = 0;

	m->fleet = f;
	m->guest = guest;
	m->number = (unsigned)f->members.count;
	vec_push(&f->members, m);
	if (!guest)
		rc = run_guest_new(opts, &m->guest, e);
	m->owns_guest = !guest && rc == 0;
	if (rc == 0 && m->number > 0) {
		if (pthread_create(&m->thread, NULL, live, m) != 0)
			return err_set(e, ERR_IO, "cannot start a thread");
		m->has_thread = true;
	}
	return rc;
}

int run_fleet_init(struct run_fleet *f, struct run_guest *first, const struct run_guest_opts *opts,
		   unsigned n, struct err *e)
{
	int rc;

	memset(f, 0, sizeof(*f));
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->changed, NULL);
	rc = add_member(f, first, opts, e);
	for (unsigned i = 1; rc == 0 && i < n; i++)
		rc = add_member(f, NULL, opts, e);
	return rc;
}

void run_fleet_fini(struct run_fleet *f)
{
	for (size_t i = 0; i < f->members.count; i++) {
		struct run_fleet_member *m = f->members.items[i];

		if (m->has_thread) {
			set_state(m, FLEET_QUIT);
			pthread_join(m->thread, NULL);
		}
		if (m->owns_guest)
			run_guest_free(m->guest);
		free(m);
	}
	vec_free(&f->members);
	pthread_cond_destroy(&f->changed);
	pthread_mutex_destroy(&f->lock);
}

void run_fleet_work(struct run_fleet *f, unsigned n,
		    void (*work)(void *arg, unsigned number, struct run_guest *guest), void *arg)
{
	assert(n > 0 && n <= f->members.count);
	f->work = work;
	f->arg = arg;
	for (unsigned i = 1; i < n; i++)
		set_state(f->members.items[i], FLEET_WORK);
	work(arg, 0, f->members.items[0]->guest);
	for (unsigned i = 1; i < n; i++)
		wait_idle(f->members.items[i]);
}
