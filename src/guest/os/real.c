#include "guest/os/real.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define X(name) __typeof__(&name) real_##name;
#include "guest/os/real.def"
#undef X

static int resolved;

/* Tables of virtual functions, NULL without a C++ library. */
static const uintptr_t *file_table, *string_table;
/* What the C library does for streams on descriptors, narrow and wide. */
static const void *narrow_jumps, *wide_jumps;

/*
 * A name that is not found leaves a message behind, to be freed by the next call of its kind.  Who
 * frees it would not be who allocated it: the program's heap has nothing to do with it.
 */
static void *find_quietly(void *where, const char *name)
{
	void *found = dlsym(where, name);

	if (!found) {
		dlerror();
		dlerror();
	}
	return found;
}

void real_init(void)
{
	if (__atomic_load_n(&resolved, __ATOMIC_ACQUIRE))
		return;
		/* Two threads of a process without heddle may both come here; they store the same
		 * values. */
#define X(name) real_##name = (__typeof__(&name))find_quietly(RTLD_NEXT, #name);
#include "guest/os/real.def"
#undef X
	file_table = find_quietly(RTLD_DEFAULT, "_ZTVSt13basic_filebufIcSt11char_traitsIcEE");
	string_table = find_quietly(RTLD_DEFAULT,
				    "_ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE");
	narrow_jumps = find_quietly(RTLD_DEFAULT, "_IO_file_jumps");
	wide_jumps = find_quietly(RTLD_DEFAULT, "_IO_wfile_jumps");
	__atomic_store_n(&resolved, 1, __ATOMIC_RELEASE);
}

const void *real_find(const char *name)
{
	return find_quietly(RTLD_DEFAULT, name);
}

bool real_same_object(const void *a, const void *b)
{
	Dl_info in_a, in_b;

	return dladdr(a, &in_a) && dladdr(b, &in_b) && in_a.dli_fbase == in_b.dli_fbase;
}

const char *real_name(const void *function)
{
	Dl_info in;

	return dladdr(function, &in) ? in.dli_sname : NULL;
}

/* A jump through a table of addresses, as linkers make them for functions of other objects. */
static bool is_way_out(const unsigned char *code)
{
	static const unsigned char landing[4] = {0xf3, 0x0f, 0x1e, 0xfa};

	if (!memcmp(code, landing, sizeof(landing)))
		code += sizeof(landing);
	if (*code == 0xf2)
		code++;
	return code[0] == 0xff && code[1] == 0x25;
}

bool real_is_library(const void *function)
{
	static const char *const known[] = {"libc.",	  "libm.",    "libstdc++.", "libpthread.",
					    "libgcc_s.",  "libz.",    "libdl.",	    "librt.",
					    "libatomic.", "libutil.", "libheddle.", "ld-linux"};
	const char *file;
	Dl_info in;

	if (!dladdr(function, &in) || !in.dli_fname)
		return false;
	file = strrchr(in.dli_fname, '/');
	file = file ? file + 1 : in.dli_fname;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strncmp(file, known[i], strlen(known[i])))
			return true;
	return is_way_out(function);
}

/* glibc keeps the pointer to its functions behind the FILE. */
bool real_is_descriptor_stream(const void *stream)
{
	const void *jumps = *(const void *const *)((const char *)stream + sizeof(FILE));

	return !jumps || jumps == narrow_jumps || jumps == wide_jumps;
}

/* What a pointer to virtual functions points to lies behind two words of its table. */
static bool has_table(const void *object, const uintptr_t *table)
{
	return table && *(const uintptr_t *const *)object == table + 2;
}

bool real_is_file_buffer(const void *buffer)
{
	return has_table(buffer, file_table);
}

bool real_is_stream_buffer(const void *buffer)
{
	return real_is_file_buffer(buffer) || has_table(buffer, string_table);
}
