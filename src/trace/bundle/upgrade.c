#include "trace/bundle/upgrade.h"

#include <inttypes.h>

int trace_upgrade_check(uint64_t version, struct err *e)
{
	if (version == 0)
		return err_set(e, ERR_FORMAT, "version 0 does not exist");
	if (version > TRACE_VERSION)
		return err_set(e, ERR_VERSION,
			       "made by a newer heddle: format version %" PRIu64
			       ", this heddle reads up to version %d",
			       version, TRACE_VERSION);
	return 0;
}
