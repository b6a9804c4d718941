#include "model/event.h"

#include <stddef.h>
#include <string.h>

/* The letters of events.def. */
#define CLASS_A EVENT_CLASS_ACCESS
#define CLASS_S EVENT_CLASS_SYNC
#define CLASS_L EVENT_CLASS_LIFE
#define CLASS_M EVENT_CLASS_MARKER

static const struct {
	const char *name;
	enum model_event_class class;
} kinds[EVENT_KIND_MAX] = {
#define X(NAME, number, text, class) [number] = {text, CLASS_##class},
#include "wire/events.def"
#undef X
};

const char *model_event_name(unsigned kind)
{
	return kind < EVENT_KIND_MAX && kinds[kind].name ? kinds[kind].name : "?";
}

enum event_kind model_event_find(const char *name)
{
	for (unsigned i = 0; i < EVENT_KIND_MAX; i++) {
		if (kinds[i].name && !strcmp(kinds[i].name, name))
			return (enum event_kind)i;
	}
	return EVENT_NONE;
}

enum model_event_class model_event_class(unsigned kind)
{
	return kind < EVENT_KIND_MAX ? kinds[kind].class : EVENT_CLASS_NONE;
}

const char *model_event_class_name(enum model_event_class class)
{
	switch (class) {
	case EVENT_CLASS_ACCESS:
		return "access";
	case EVENT_CLASS_SYNC:
		return "synchronisation";
	case EVENT_CLASS_LIFE:
		return "life cycle";
	case EVENT_CLASS_MARKER:
		return "marker";
	default:
		return "?";
	}
}

bool model_event_reads(unsigned kind)
{
	return kind == EVENT_READ || kind == EVENT_RMW || kind == EVENT_CAS_FAIL ||
	       kind == EVENT_READ_RANGE;
}

bool model_event_writes(unsigned kind)
{
	return kind == EVENT_WRITE || kind == EVENT_RMW || kind == EVENT_WRITE_RANGE;
}

bool model_event_has_address(unsigned kind)
{
	switch (model_event_class(kind)) {
	case EVENT_CLASS_ACCESS:
		return kind != EVENT_FENCE;
	case EVENT_CLASS_SYNC:
		return true;
	default:
		return kind == EVENT_ALLOC || kind == EVENT_FREE || kind == EVENT_CALL;
	}
}

const char *model_order_name(unsigned order)
{
	static const char *const names[] = {
		[ORDER_PLAIN] = "",	     [ORDER_RELAXED] = "relaxed",
		[ORDER_CONSUME] = "consume", [ORDER_ACQUIRE] = "acquire",
		[ORDER_RELEASE] = "release", [ORDER_ACQ_REL] = "acq-rel",
		[ORDER_SEQ_CST] = "seq-cst",
	};

	return order < sizeof(names) / sizeof(names[0]) ? names[order] : "?";
}
