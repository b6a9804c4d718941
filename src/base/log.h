/*
 * Diagnostics for the developer of heddle, on stderr, off by default.
 * HEDDLE_LOG or --log: "solve:3,run:1" or "3" for every domain.
 */
#ifndef HEDDLE_BASE_LOG_H
#define HEDDLE_BASE_LOG_H

enum log_domain {
#define X(NAME, text) LOG_##NAME,
#include "base/log_domains.def"
#undef X
	LOG_DOMAINS
};

extern unsigned char log_levels[LOG_DOMAINS];

/* Sets levels from text; returns 0, or -1 when the text is malformed. */
int log_configure(const char *text);
void log_write(enum log_domain domain, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#define log_at(level, domain, ...)                                                                 \
	do {                                                                                       \
		if (__builtin_expect(log_levels[domain] >= (level), 0))                            \
			log_write(domain, __VA_ARGS__);                                            \
	} while (0)
#define log_info(domain, ...) log_at(1, domain, __VA_ARGS__)
#define log_debug(domain, ...) log_at(2, domain, __VA_ARGS__)
#define log_trace(domain, ...) log_at(3, domain, __VA_ARGS__)

#endif
