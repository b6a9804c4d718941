#include "record/pt.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fs.h"

#define PMU "/sys/bus/event_source/devices/intel_pt/type"

int record_pt_available(struct err *e)
{
	struct perf_event_attr attr = {.size = sizeof(attr), .exclude_kernel = 1, .disabled = 1};
	char *text = NULL;
	size_t n;
	long fd;

	if (fs_read_file(PMU, 64, &text, &n, NULL))
		return err_set(e, ERR_UNSUPPORTED,
			       "this machine has no Intel Processor Trace (no intel_pt among its "
			       "performance units); use --backend=bits");
	attr.type = (uint32_t)strtoul(text, NULL, 10);
	free(text);
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (fd < 0)
		return err_errno(e, ERR_UNSUPPORTED,
				 "Intel Processor Trace is not permitted here (see "
				 "/proc/sys/kernel/perf_event_paranoid); use --backend=bits");
	close((int)fd);
	return 0;
}
