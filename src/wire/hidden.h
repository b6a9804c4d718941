/*
 * Hidden cells: what a thread can observe without any memory of the program has an address that the
 * guest makes up.  Whoever executes the program otherwise makes up the same ones.
 */
#ifndef HEDDLE_WIRE_HIDDEN_H
#define HEDDLE_WIRE_HIDDEN_H

#include <stdint.h>

/* The next state after an operation: a mixture of both that no other order gives. */
static inline uint64_t wire_hidden_mix(uint64_t state, uint64_t operation)
{
	uint64_t z = state + UINT64_C(0x9e3779b97f4a7c15) + (operation << 6) + (operation >> 2);

	z ^= operation;
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Where the cell of that kind and key lies, counted from WIRE_HIDDEN_ADDR. */
static inline uint64_t wire_hidden_place(unsigned kind, uint64_t key)
{
	return (uint64_t)kind << 36 | (wire_hidden_mix(0, key) >> 32) << 4;
}

#endif
