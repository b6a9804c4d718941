#include "rt/hook/hook.h"
#include "rt/hook/random.h"

void hook_run_begin(void)
{
	random_begin();
}
