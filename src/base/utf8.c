#include "base/utf8.h"

#include <stdint.h>

size_t utf8_length(const unsigned char *text)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	uint32_t code;
	size_t n;

	if (text[0] < 0x80)
		return 1;
	if (text[0] >= 0xc2 && text[0] < 0xe0)
		n = 2;
	else if (text[0] >= 0xe0 && text[0] < 0xf0)
		n = 3;
	else if (text[0] >= 0xf0 && text[0] < 0xf5)
		n = 4;
	else
		return 0;
	code = text[0] & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3fu);
	}
	if (code < smallest[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return 0;
	return n;
}
