/*
 * Packs: the bytes as a file, and as frames whose checksums are right (type, flags, length, bytes),
 * for a fuzzer cannot guess these.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fs.h"
#include "trace/bundle/frame.h"
#include "trace/bundle/upgrade.h"
#include "trace/pack/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void read_all(const void *bytes, size_t n)
{
	struct trace_pack_in in;
	struct trace_pack_member m;
	struct err e = ERR_INIT;
	int fd = memfd_create("pack", MFD_CLOEXEC), rc;

	if (fd < 0 || fs_write_all(fd, bytes, n) || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	rc = trace_pack_open_fd(&in, fd, &e);
	while (rc == 0 && (rc = trace_pack_next(&in, &m, &e)) == 1) {
		/* What is handed out stays below a directory that it is put behind. */
		if (!trace_pack_name_is_good(m.role, m.name) || !strcmp(m.name, "..") ||
		    strstr(m.name, "/../") || (m.role != TRACE_PACK_SOURCE && strchr(m.name, '/')))
			abort();
		rc = trace_pack_contents(&in, -1, &e);
		trace_pack_member_fini(&m);
	}
	trace_pack_close(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct strbuf all = STRBUF_INIT;
	struct trace_frame f = {.version = TRACE_VERSION};

	read_all(data, n);
	strbuf_add(&all, "heddle-pack 1\n");
	while (n >= 3) {
		size_t bytes = data[2] < n - 3 ? data[2] : n - 3;

		f.type = (uint16_t)(32 + data[0] % 4);
		f.flags = data[1] & TRACE_FRAME_LAST;
		trace_frame_encode(&all, &f, data + 3, bytes);
		f.number++;
		data += 3 + bytes;
		n -= 3 + bytes;
	}
	read_all(all.text, all.length);
	strbuf_free(&all);
	return 0;
}
