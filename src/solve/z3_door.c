#include "solve/z3_door.h"

#include <dlfcn.h>

struct z3_door z3;

bool z3_door_open(void)
{
	static bool open;
	if (open)
		return true;
	void *library = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return false;
#define Z3_DOOR_LOAD(name)                                                                         \
	*(void **)&z3.name = dlsym(library, "Z3_" #name);                                          \
	if (!z3.name)                                                                              \
		return false;
	Z3_DOOR_FUNCTIONS(Z3_DOOR_LOAD)
#undef Z3_DOOR_LOAD
	open = true;
	return true;
}
