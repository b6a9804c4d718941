#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

unsigned char log_levels[LOG_DOMAINS];

static const char *const domain_names[LOG_DOMAINS] = {
#define X(NAME, text) [LOG_##NAME] = text,
#include "base/log_domains.def"
#undef X
};

static int find_domain(const char *name, size_t length)
{
	for (int i = 0; i < LOG_DOMAINS; i++) {
		if (strlen(domain_names[i]) == length && !memcmp(domain_names[i], name, length))
			return i;
	}
	return -1;
}

/* One item, "domain:level" or "level", into levels. */
static int configure_item(const char *item, size_t length, unsigned char *levels)
{
	const char *colon = memchr(item, ':', length);
	const char *digit = colon ? colon + 1 : item;
	int domain;

	if (item + length != digit + 1 || *digit < '0' || *digit > '9')
		return -1;
	if (!colon) {
		memset(levels, *digit - '0', LOG_DOMAINS);
		return 0;
	}
	domain = find_domain(item, (size_t)(colon - item));
	if (domain < 0)
		return -1;
	levels[domain] = (unsigned char)(*digit - '0');
	return 0;
}

int log_configure(const char *text)
{
	unsigned char levels[LOG_DOMAINS];

	memcpy(levels, log_levels, sizeof(levels));
	for (;;) {
		size_t length = strcspn(text, ",");

		if (configure_item(text, length, levels))
			return -1;
		if (!text[length])
			break;
		text += length + 1;
	}
	memcpy(log_levels, levels, sizeof(levels));
	return 0;
}

void log_write(enum log_domain domain, const char *format, ...)
{
	int saved = errno;
	char line[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	/* One call per line, so that lines of several processes do not mix. */
	fprintf(stderr, "heddle %s: %s\n", domain_names[domain], line);
	errno = saved;
}
