#include "collect/programs.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "collect/say.h"
#include "coop/elements.h"

#define ARGS ".args"
#define MAX_ARGS 4096

static void fini_one(struct collect_program *x)
{
	free(x->path);
	free(x->args);
}

static void learn(struct collect_program *x)
{
	struct coop_elements elements = {.names = VEC_INIT};
	struct err e = ERR_INIT;
	char *path = xasprintf("%s" ARGS, x->path);
	size_t n;

	x->known = coop_elements_find(&elements, x->path, COOP_ORDER, &e) == 0;
	if (x->known) {
		memcpy(x->build, elements.build, sizeof(x->build));
		coop_elements_fini(&elements);
	} else {
		collect_say("%s: %s", x->path, e.text);
	}
	free(x->args);
	x->args = NULL;
	if (fs_is_file(path) && !fs_read_file(path, MAX_ARGS, &x->args, &n, &e))
		x->args[strcspn(x->args, "\n")] = '\0';
	free(path);
}

static void look(struct collect_programs *p, const char *name)
{
	char *path = fs_join(p->dir, name);
	struct collect_program *x = NULL;
	struct stat st;
	uint64_t changed;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || !(st.st_mode & 0111)) {
		free(path);
		return;
	}
	changed = (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec;
	for (size_t i = 0; i < p->list.count && !x; i++)
		if (!strcmp(p->list.items[i].path, path))
			x = &p->list.items[i];
	if (!x) {
		vec_push(&p->list, ((struct collect_program){.path = xstrdup(path)}));
		x = &vec_last(&p->list);
	}
	if (x->changed != changed || x->bytes != (uint64_t)st.st_size) {
		x->changed = changed;
		x->bytes = (uint64_t)st.st_size;
		learn(x);
	}
	free(path);
}

void collect_programs_scan(struct collect_programs *p)
{
	DIR *d = opendir(p->dir);
	struct dirent *x;

	while (d && (x = readdir(d)))
		if (x->d_name[0] != '.')
			look(p, x->d_name);
	if (d)
		closedir(d);
}

const struct collect_program *collect_programs_find(const struct collect_programs *p,
						    const uint8_t build[STORE_BUILD_BYTES])
{
	for (size_t i = 0; i < p->list.count; i++)
		if (p->list.items[i].known && fs_is_file(p->list.items[i].path) &&
		    coop_build_same_program(p->list.items[i].build, build))
			return &p->list.items[i];
	return NULL;
}

void collect_programs_fini(struct collect_programs *p)
{
	for (size_t i = 0; i < p->list.count; i++)
		fini_one(&p->list.items[i]);
	vec_free(&p->list);
	free(p->dir);
	p->dir = NULL;
}
