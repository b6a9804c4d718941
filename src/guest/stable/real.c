#include "guest/stable/real.h"

#include <dlfcn.h>

struct real_table real;

static void *find(const char *name, const char *version)
{
	void *at = version ? dlvsym(RTLD_NEXT, name, version) : NULL;
	return at ? at : dlsym(RTLD_NEXT, name);
}

void real_init(void)
{
#define X(result, name, version, parameters) *(void **)&real.name = find(#name, version);
#include "guest/stable/real.def"
#undef X
}

void *real_find(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}
