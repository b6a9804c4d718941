/* Descriptors of the model become the kernel's, where something outside must see them. */
#ifndef HEDDLE_RT_HOOK_FD_RELEASE_H
#define HEDDLE_RT_HOOK_FD_RELEASE_H

#include "guest/check/rt.h"

/*
 * Makes every modelled object real, with its contents and under its numbers, because the program
 * does `what': a child is to inherit them, say.  Nothing to do when there is none.  The reset
 * engine gives up here.  From then on no search can call the program clean.
 */
void fd_release(uint32_t site, const char *what);

#endif
