/* Trace files of heddle predict: the first byte chooses the format. */
#include <stdint.h>
#include <stdlib.h>

#include "predict/read/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct predict_trace *t = NULL;
	struct err e = ERR_INIT;

	if (n == 0)
		return 0;
	if (predict_read_text((const char *)data + 1, n - 1,
			      (enum predict_format)(data[0] % (FORMAT_RAPID + 1)), data[0] & 0x80,
			      &t, &e) == 0)
		predict_trace_free(t);
	return 0;
}
