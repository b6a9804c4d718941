#include "coop/curl_door.h"

#include <dlfcn.h>
#include <stddef.h>

struct curl_door curl_door;

bool curl_door_open(void)
{
	static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
	static bool open;
	void *library = NULL;

	if (open)
		return true;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return false;
#define CURL_DOOR_LOAD(name)                                                                       \
	*(void **)&curl_door.name = dlsym(library, "curl_" #name);                                 \
	if (!curl_door.name)                                                                       \
		return false;
	CURL_DOOR_FUNCTIONS(CURL_DOOR_LOAD)
#undef CURL_DOOR_LOAD
	open = true;
	return true;
}
