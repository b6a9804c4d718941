/*
 * Functions that the program looks up in the handle of the C library: it gets the wrappers, as if
 * it had been linked with them.
 *
 * A lookup with RTLD_NEXT or RTLD_DEFAULT depends on who calls: those go to the original by a jump,
 * with the caller's return address, and find the wrappers by themselves, unless a library behind us
 * asks for what comes behind itself.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "guest/stable/hook/hook.h"
#include "guest/stable/real.h"

typedef void *lookup_fn(void *handle, const char *name);

static lookup_fn first_lookup;
lookup_fn lookup_in_handle;

/* Where the jump goes; until the original is known, to the function that finds it. */
__attribute__((used)) lookup_fn *lookup_original = first_lookup;

__asm__(".text\n"
	".globl dlsym\n"
	".type dlsym, @function\n"
	"dlsym:\n"
	"	.cfi_startproc\n"
	"	lea 1(%rdi), %rax\n" /* RTLD_NEXT is -1, RTLD_DEFAULT 0 */
	"	cmp $1, %rax\n"
	"	ja lookup_in_handle\n"
	"	jmp *lookup_original(%rip)\n"
	"	.cfi_endproc\n"
	".size dlsym, . - dlsym\n");

static void find_original(void)
{
	static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5"};
	for (int i = 0; i < 2 && lookup_original == first_lookup; i++) {
		lookup_fn *found = (lookup_fn *)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
		if (found)
			lookup_original = found;
	}
}

/* The caller's place is lost, once: as a rule the first to ask is the runtime itself. */
static void *first_lookup(void *handle, const char *name)
{
	find_original();
	return lookup_original == first_lookup ? NULL : lookup_original(handle, name);
}

static const void *library_of(const void *at)
{
	Dl_info info;
	return dladdr(at, &info) ? info.dli_fbase : NULL;
}

/* Our own definition of the name, when what was found is the one that we stand in front of. */
static void *in_front_of(void *found, const char *name)
{
	static void *self;
	Dl_info info;
	if (!found || found != real_find(name))
		return found;
	if (!self && dladdr((void *)in_front_of, &info))
		self = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	void *ours = self ? lookup_original(self, name) : NULL;
	bool is_ours = ours && library_of(ours) == library_of((void *)in_front_of);
	return is_ours ? ours : found;
}

__attribute__((used, visibility("hidden"))) void *lookup_in_handle(void *handle, const char *name)
{
	if (lookup_original == first_lookup)
		find_original();
	return in_front_of(lookup_original(handle, name), name);
}
