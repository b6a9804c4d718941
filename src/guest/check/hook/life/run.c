#include "guest/check/sched/upcall.h"
#include "guest/check/hook/system/random.h"
#include "guest/check/hook/system/signals.h"
#include "guest/check/sched/fds.h"

void hook_run_begin(void)
{
	random_begin();
	signals_run_begin();
	fds_run_begin();
}
