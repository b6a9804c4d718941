/* The functions of libcurl that are used, by name; only send.c includes this. */
#ifndef HEDDLE_COOP_CURL_DOOR_H
#define HEDDLE_COOP_CURL_DOOR_H

#include <curl/curl.h>
#include <stdbool.h>

#define CURL_DOOR_FUNCTIONS(F)                                                                     \
	F(easy_init)                                                                               \
	F(easy_setopt)                                                                             \
	F(easy_perform)                                                                            \
	F(easy_getinfo)                                                                            \
	F(easy_reset)                                                                              \
	F(easy_cleanup)                                                                            \
	F(easy_strerror)                                                                           \
	F(slist_append)                                                                            \
	F(slist_free_all)

/* The headers check arguments by macros of these names. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

struct curl_door {
#define CURL_DOOR_FIELD(name) __typeof__(curl_##name) *name;
	CURL_DOOR_FUNCTIONS(CURL_DOOR_FIELD)
#undef CURL_DOOR_FIELD
};

extern struct curl_door curl_door;

bool curl_door_open(void);

#endif
