#include "guest/os/fmt.h"

#include <stdint.h>

struct sink {
	char *to;
	size_t room, length;
};

static void put(struct sink *s, char c)
{
	if (s->length + 1 < s->room)
		s->to[s->length++] = c;
}

static void put_string(struct sink *s, const char *text)
{
	for (text = text ? text : "(null)"; *text; text++)
		put(s, *text);
}

static void put_number(struct sink *s, uint64_t value, unsigned base)
{
	char digits[24];
	int n = 0;

	do {
		digits[n++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	while (n)
		put(s, digits[--n]);
}

static void put_signed(struct sink *s, int64_t value)
{
	if (value < 0)
		put(s, '-');
	put_number(s, value < 0 ? -(uint64_t)value : (uint64_t)value, 10);
}

/* Reads the length modifiers at *f; returns whether the argument is 8 bytes wide. */
static int wide(const char **f)
{
	int is_wide = 0;

	while (**f == 'l' || **f == 'z' || **f == 'j' || (**f >= '0' && **f <= '9')) {
		is_wide |= **f == 'l' || **f == 'z' || **f == 'j';
		(*f)++;
	}
	return is_wide;
}

size_t fmt_vtext(char *to, size_t bytes, const char *format, va_list args)
{
	struct sink s = { to, bytes, 0 };
	va_list ap;

	va_copy(ap, args);
	for (const char *f = format; *f; f++) {
		if (*f != '%') {
			put(&s, *f);
			continue;
		}
		f++;
		int is_wide = wide(&f);

		if (*f == 's')
			put_string(&s, va_arg(ap, const char *));
		else if (*f == 'c')
			put(&s, (char)va_arg(ap, int));
		else if (*f == 'd')
			put_signed(&s, is_wide ? va_arg(ap, int64_t) : va_arg(ap, int));
		else if (*f == 'u')
			put_number(&s, is_wide ? va_arg(ap, uint64_t) : va_arg(ap, unsigned), 10);
		else if (*f == 'x')
			put_number(&s, is_wide ? va_arg(ap, uint64_t) : va_arg(ap, unsigned), 16);
		else if (*f == 'p') {
			put_string(&s, "0x");
			put_number(&s, (uint64_t)va_arg(ap, void *), 16);
		} else if (*f == '%')
			put(&s, '%');
		else
			break;
	}
	va_end(ap);
	if (bytes)
		to[s.length] = 0;
	return s.length;
}

size_t fmt_text(char *to, size_t bytes, const char *format, ...)
{
	va_list args;
	size_t n;

	va_start(args, format);
	n = fmt_vtext(to, bytes, format, args);
	va_end(args);
	return n;
}
