#include "guest/check/thread.h"

struct rt_thread *rt_current;
struct rt_thread rt_threads[WIRE_MAX_THREADS];
uint32_t rt_thread_count;
