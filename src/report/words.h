/* The words reports use for what the wire calls by number.  Never NULL, "?" when out of range. */
#ifndef HEDDLE_REPORT_WORDS_H
#define HEDDLE_REPORT_WORDS_H

#include <stdint.h>

const char *report_word_failure(uint32_t kind);	   /* enum wire_failure_kind: "use after free" */
const char *report_word_failure_id(uint32_t kind); /* the same for machines: "use-after-free" */
const char *report_word_object(uint32_t kind);	   /* enum wire_obj: "mutex" */
const char *report_word_event(uint32_t kind);	   /* enum event_kind: "lock-timeout" */
const char *report_word_outcome(uint32_t outcome); /* enum wire_outcome: "clean" */
const char *report_word_engine(uint32_t engine);
const char *report_word_strategy(uint32_t strategy);
const char *report_word_model(uint32_t model);
const char *report_word_thread_state(uint32_t state); /* enum wire_thread_state */
/* "SIGSEGV". */
const char *report_word_signal(uint64_t number);

#endif
