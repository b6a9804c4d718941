#include "guest/stable/hook/once.h"

#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/section.h"
#include "guest/stable/real.h"

static void nothing(void)
{
}

struct running {
	pthread_once_t *control;
	bool done;
};

/* Runs when the initialiser returns, is cancelled or throws; then somebody else must try. */
static void finish(struct running *r)
{
	struct sched_thread *t = hook_begin((uintptr_t)r->control, STABLE_OP_ONCE);
	if (!t)
		return;
	obj_get(OBJ_ONCE, r->control)->once = r->done ? OBJ_ONCE_DONE : OBJ_ONCE_NEW;
	/* Threads outside the schedule see it done as well. */
	if (r->done)
		real.pthread_once(r->control, nothing);
	uint32_t woken = sched_broadcast(r->control);
	hook_log(t, STABLE_OP_ONCE, r->control, STABLE_RES_RETURN, woken);
	hook_end(t);
}

static void run(pthread_once_t *control, void (*function)(void))
{
	__attribute__((cleanup(finish))) struct running r = {control, false};
	function();
	r.done = true;
}

int once_run(pthread_once_t *control, void (*function)(void), uintptr_t caller)
{
	struct sched_thread *t = hook_begin(caller, STABLE_OP_ONCE);
	if (!t) {
		section_note(caller);
		return real.pthread_once(control, function);
	}
	while (obj_get(OBJ_ONCE, control)->once == OBJ_ONCE_RUNNING)
		hook_wait(t, STABLE_OP_ONCE, control, 0);
	/* The control itself says whether it is done (2 in the C library): its memory may have been
	 * used for another one before. */
	bool mine = *control != 2;
	if (mine)
		obj_get(OBJ_ONCE, control)->once = OBJ_ONCE_RUNNING;
	hook_log(t, STABLE_OP_ONCE, control, 0, mine);
	hook_end(t);
	if (mine)
		run(control, function);
	return 0;
}

HOOK_EXPORT int pthread_once(pthread_once_t *control, void (*function)(void))
{
	return once_run(control, function, HOOK_CALLER);
}
