/* What a daemon tells whoever runs it: one line on standard error, for the journal. */
#ifndef HEDDLE_COLLECT_SAY_H
#define HEDDLE_COLLECT_SAY_H

void collect_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
