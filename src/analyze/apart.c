#include "analyze/apart.h"

bool apart_by_number(struct flow *f, const struct access *a, const struct access *b)
{
	(void)f;
	(void)a;
	(void)b;
	return false;
}
