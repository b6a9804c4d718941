/* Files of suppressions and baselines, and what they say about a finding. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fs.h"
#include "report/ci/known.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct report_known k = {.suppressions = VEC_INIT, .baseline = VEC_INIT};
	struct findings all = VEC_INIT;
	struct finding *f = findings_add(&all, "race", FINDING_ERROR, "two threads at once");
	struct err e = ERR_INIT;
	char path[64];
	int fd = memfd_create("known", MFD_CLOEXEC);

	if (fd < 0 || fs_write_all(fd, data, n))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	report_known_suppressions(&k, path, &e);
	report_known_baseline(&k, path, &e);
	for (size_t i = 0; i < k.suppressions.count; i++)
		if (!strchr(k.suppressions.items[i], ':'))
			abort();
	finding_add_event(f, "T1 writes x", finding_place("/a/x.c", 12, 3, "main"));
	report_known_has(&k, f);
	report_known_fini(&k);
	findings_fini(&all);
	close(fd);
	return 0;
}
