#include "base/debug.h"

#include <string.h>

bool debug_is_system_file(const char *file, size_t bytes)
{
	static const char *const roots[] = {"/usr/include/", "/usr/lib/", "/usr/bin/../include/",
					    "/usr/bin/../lib/"};
	static const char own[] = "/lib/heddle/c++/";

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		if (bytes > strlen(roots[i]) && !memcmp(file, roots[i], strlen(roots[i])))
			return true;
	return memmem(file, bytes, own, strlen(own)) != NULL;
}
