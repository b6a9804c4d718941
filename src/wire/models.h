/* The memory models of models.def. */
#ifndef HEDDLE_WIRE_MODELS_H
#define HEDDLE_WIRE_MODELS_H

#include <stdbool.h>
#include <stdint.h>

enum wire_model {
#define MODEL(NAME, number, name, title, buffers, reorders) MODEL_##NAME = number,
#include "wire/models.def"
#undef MODEL
};

enum {
#define MODEL(NAME, number, name, title, buffers, reorders) MODEL_INDEX_##NAME,
#include "wire/models.def"
#undef MODEL
	MODEL_COUNT,
};

/* Numbers are those of the rows, so that they can be counted through. */
#define MODEL(NAME, number, name, title, buffers, reorders)                                        \
	_Static_assert((int)MODEL_##NAME == (int)MODEL_INDEX_##NAME, "rows in order");
#include "wire/models.def"
#undef MODEL

/* Bits by model. */
enum {
	MODELS_BUFFERING = 0
#define MODEL(NAME, number, name, title, buffers, reorders) | (buffers) << number
#include "wire/models.def"
#undef MODEL
	,
	MODELS_REORDERING = 0
#define MODEL(NAME, number, name, title, buffers, reorders) | (reorders) << number
#include "wire/models.def"
#undef MODEL
};

static inline bool wire_model_buffers(uint32_t model)
{
	return model < MODEL_COUNT && (MODELS_BUFFERING >> model & 1);
}

static inline bool wire_model_reorders(uint32_t model)
{
	return model < MODEL_COUNT && (MODELS_REORDERING >> model & 1);
}

#endif
