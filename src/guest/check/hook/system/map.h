/* Memory that the program has mapped. */
#ifndef HEDDLE_RT_HOOK_SYSTEM_MAP_H
#define HEDDLE_RT_HOOK_SYSTEM_MAP_H

#include <stdbool.h>

/* Whether some of it would be the same memory in a child process. */
bool map_shares(void);

#endif
