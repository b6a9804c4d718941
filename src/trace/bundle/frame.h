/*
 * Frames: every file of a bundle except the MANIFEST is a sequence of them.  A frame is a header of
 * TRACE_FRAME_HEADER bytes and the stored bytes, compressed by zstd or plain.
 *
 *   0  u32  magic "HDLF"          16  u64  raw length
 *   4  u16  type (parts.def)      24  u64  stored length
 *   6  u16  version               32  u64  FNV-1a 64 of bytes 0..31 and the stored bytes
 *   8  u32  number in its file
 *  12  u32  flags
 *
 * The raw length is at most TRACE_FRAME_MAX, and at most TRACE_FRAME_RATIO times the stored length
 * plus 64 KiB: a small file cannot ask for much memory.  The writer keeps to the same rule and
 * stores a frame plain when compression is too good.
 */
#ifndef HEDDLE_TRACE_FRAME_H
#define HEDDLE_TRACE_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

#define TRACE_FRAME_MAGIC 0x464c4448u
#define TRACE_FRAME_HEADER 40
#define TRACE_FRAME_MAX (4u << 20)
#define TRACE_FRAME_RATIO 256u
#define TRACE_FRAME_SLACK (64u << 10)

enum trace_part {
#define X(name, number, file, required, limit) TRACE_PART_##name = number,
#include "trace/bundle/parts.def"
#undef X
	TRACE_PART_MAX = 18
};

enum trace_frame_flag {
	TRACE_FRAME_ZSTD = 1, /* stored bytes are one zstd frame */
	TRACE_FRAME_LAST = 2, /* no frame follows in this file */
};

struct trace_frame {
	uint16_t type;
	uint16_t version;
	uint32_t number;
	uint32_t flags;
	uint32_t raw_bytes, stored_bytes;
	uint64_t checksum;
};

/* Appends a frame with these n <= TRACE_FRAME_MAX raw bytes to b.  flags: LAST or 0. */
void trace_frame_encode(struct strbuf *b, const struct trace_frame *f, const void *raw, size_t n);

/*
 * Reads a header of TRACE_FRAME_HEADER bytes.  ERR_FORMAT, ERR_VERSION or ERR_LIMIT; lengths are
 * within the limits afterwards.
 */
int trace_frame_header(struct trace_frame *f, const uint8_t *header, struct err *e);

/*
 * Checks the checksum and puts the f->raw_bytes contents to raw.  ERR_CHECKSUM, or ERR_FORMAT when
 * what is stored does not decompress to that length.
 */
int trace_frame_decode(const struct trace_frame *f, const uint8_t *header, const void *stored,
		       void *raw, struct err *e);

#endif
