/* What the reader and the writer of packs share. */
#ifndef HEDDLE_TRACE_PACK_PRIV_H
#define HEDDLE_TRACE_PACK_PRIV_H

#define PACK_MAGIC "heddle-pack 1\n"
#define PACK_MAGIC_BYTES (sizeof(PACK_MAGIC) - 1)
/* Without the version, to know one made by a newer heddle. */
#define PACK_MAGIC_WORD "heddle-pack "

enum pack_frame { PACK_FRAME_MEMBER = 32, PACK_FRAME_CONTENTS = 33, PACK_FRAME_END = 34 };

/* A member's frame: role, name, length. */
#define PACK_MEMBER_MAX 8192

#endif
