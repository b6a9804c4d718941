#include "cli/predict_input.h"

#include "base/fs.h"

int cli_predict_load(const struct cli_predict_input *in, int argc, char **argv,
		     struct predict_trace **out, int *used, struct err *e)
{
	*used = 1;
	return predict_read_file(argv[0], in->format, in->strict, out, e);
}
