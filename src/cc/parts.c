#include "cc/parts.h"

#include <stdlib.h>

#include "base/fs.h"
#include "base/mem.h"

int cc_parts_find(struct cc_parts *p, bool cxx, struct err *e)
{
	const char *name = cxx ? "clang++-19" : "clang-19";
	char *self = fs_self_dir();

	p->libdir = xasprintf("%s/../lib/heddle", self);
	p->incdir = xasprintf("%s/../include", self);
	free(self);
	self = realpath(p->libdir, NULL);
	if (self) {
		free(p->libdir);
		p->libdir = self;
	}
	p->compiler = fs_find_program(name);
	if (!p->compiler)
		return err_set(e, ERR_NOT_FOUND, "%s not found: install the package clang-19",
			       name);
	return 0;
}

void cc_parts_fini(struct cc_parts *p)
{
	free(p->compiler);
	free(p->libdir);
	free(p->incdir);
	p->compiler = p->libdir = p->incdir = NULL;
}
