/*
 * Where the runtime's mappings lie.  Fixed, so that addresses the program sees do not depend on
 * the engine or on what the kernel chooses; between the executable and the libraries, where Linux
 * on x86-64 puts nothing when address randomisation is off.
 */
#ifndef HEDDLE_RT_MEM_LAYOUT_H
#define HEDDLE_RT_MEM_LAYOUT_H

#include <stdint.h>

#include "wire/ctl.h"

#define LAYOUT_HEAP WIRE_HEAP_ADDR /* the host knows it too */
#define LAYOUT_HEAP_BYTES WIRE_HEAP_BYTES
#define LAYOUT_ARENAS (2 * WIRE_MAX_LIVE)
#define LAYOUT_ARENA_BYTES (LAYOUT_HEAP_BYTES / LAYOUT_ARENAS)
#define LAYOUT_SHADOW UINT64_C(0x200000000000) /* one byte for 16 of the heap */
#define LAYOUT_SHADOW_BYTES (LAYOUT_HEAP_BYTES / 16)
#define LAYOUT_SLOTS WIRE_SLOTS_ADDR /* the host knows them too */
#define LAYOUT_SLOT_BYTES WIRE_SLOT_BYTES
#define LAYOUT_STACK_BYTES (UINT64_C(8) << 20)
#define LAYOUT_UNDO UINT64_C(0x310000000000)
#define LAYOUT_UNDO_BYTES (UINT64_C(1) << 30)
#define LAYOUT_SNAPSHOT UINT64_C(0x320000000000)
#define LAYOUT_SNAPSHOT_BYTES (UINT64_C(64) << 30)
#define LAYOUT_ENGINE_STACK UINT64_C(0x340000000000)
#define LAYOUT_ENGINE_STACK_BYTES (UINT64_C(1) << 20)
#define LAYOUT_SIGNAL_STACK UINT64_C(0x340000200000)
#define LAYOUT_SIGNAL_STACK_BYTES (UINT64_C(256) << 10)

/* Stacks of our own helper threads, which are no part of the program's memory. */
#define LAYOUT_HELPERS UINT64_C(0x340000400000)
#define LAYOUT_HELPER_BYTES (UINT64_C(256) << 10)
#define LAYOUT_END (LAYOUT_HELPERS + 2 * LAYOUT_HELPER_BYTES)

#endif
