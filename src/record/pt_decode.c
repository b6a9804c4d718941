#include "record/pt_decode.h"

#include <intel-pt.h>

struct decoding {
	struct pt_packet_decoder *packets;
	struct record_pt_path *out;
	uint64_t last_ip; /* what short addresses are completed with */
	uint64_t tsc;
};

static void add(struct decoding *d, enum record_pt_kind kind, uint64_t ip)
{
	struct record_pt_step step = {ip, d->tsc, kind};

	/* One hole is enough. */
	if (kind == RECORD_PT_LOST) {
		d->out->incomplete = true;
		if (d->out->count && vec_last(d->out).kind == RECORD_PT_LOST)
			return;
	}
	vec_push(d->out, step);
}

static uint64_t low_bits(unsigned n)
{
	return (UINT64_C(1) << n) - 1;
}

/* Addresses are shortened by what they have in common with the one before. */
static bool full_address(struct decoding *d, const struct pt_packet_ip *ip, uint64_t *out)
{
	uint64_t keep = 0;

	switch (ip->ipc) {
	case pt_ipc_suppressed:
		*out = 0;
		return false;
	case pt_ipc_update_16:
		keep = ~low_bits(16);
		break;
	case pt_ipc_update_32:
		keep = ~low_bits(32);
		break;
	case pt_ipc_update_48:
		keep = ~low_bits(48);
		break;
	case pt_ipc_sext_48:
	case pt_ipc_full:
		break;
	}
	d->last_ip = (d->last_ip & keep) | (ip->ip & ~keep);
	if (ip->ipc == pt_ipc_sext_48)
		d->last_ip = (uint64_t)((int64_t)(ip->ip << 16) >> 16);
	*out = d->last_ip;
	return true;
}

static void add_branches(struct decoding *d, const struct pt_packet_tnt *tnt)
{
	/* The oldest is the highest. */
	for (unsigned i = tnt->bit_size; i-- > 0;)
		add(d, tnt->payload >> i & 1 ? RECORD_PT_TAKEN : RECORD_PT_NOT_TAKEN, 0);
}

static void add_packet(struct decoding *d, const struct pt_packet *p)
{
	uint64_t ip;

	switch (p->type) {
	case ppt_tnt_8:
	case ppt_tnt_64:
		add_branches(d, &p->payload.tnt);
		break;
	case ppt_tip:
		/* Without an address it went where tracing is off. */
		if (full_address(d, &p->payload.ip, &ip))
			add(d, RECORD_PT_TARGET, ip);
		break;
	case ppt_tip_pge:
		(void)full_address(d, &p->payload.ip, &ip);
		add(d, RECORD_PT_ON, ip);
		break;
	case ppt_tip_pgd:
		(void)full_address(d, &p->payload.ip, &ip);
		add(d, RECORD_PT_OFF, ip);
		break;
	case ppt_fup:
		/* Where an event came from; only later addresses depend on it. */
		(void)full_address(d, &p->payload.ip, &ip);
		break;
	case ppt_psb:
		d->last_ip = 0;
		break;
	case ppt_tsc:
		d->tsc = p->payload.tsc.tsc;
		break;
	case ppt_ovf:
		add(d, RECORD_PT_LOST, 0);
		break;
	default:
		break;
	}
}

/* From one point of synchronisation on; false at the end of the bytes. */
static bool decode_piece(struct decoding *d)
{
	struct pt_packet p;
	int rc;

	while ((rc = pt_pkt_next(d->packets, &p, sizeof(p))) >= 0)
		add_packet(d, &p);
	if (rc == -pte_eos)
		return false;
	add(d, RECORD_PT_LOST, 0);
	return pt_pkt_sync_forward(d->packets) >= 0;
}

int record_pt_decode(const uint8_t *bytes, size_t n, struct record_pt_path *out, struct err *e)
{
	struct decoding d = {.out = out};
	struct pt_config config;
	uint64_t at = 0;

	pt_config_init(&config);
	/* The library reads only. */
	config.begin = (uint8_t *)(uintptr_t)bytes;
	config.end = config.begin + n;
	d.packets = n ? pt_pkt_alloc_decoder(&config) : NULL;
	if (!d.packets || pt_pkt_sync_forward(d.packets) < 0) {
		pt_pkt_free_decoder(d.packets);
		return err_set(e, ERR_FORMAT, "no packet of Intel Processor Trace can be found in it");
	}
	(void)pt_pkt_get_offset(d.packets, &at);
	if (at)
		add(&d, RECORD_PT_LOST, 0);
	while (decode_piece(&d))
		;
	(void)pt_pkt_get_offset(d.packets, &at);
	if (at < n)
		add(&d, RECORD_PT_LOST, 0);
	pt_pkt_free_decoder(d.packets);
	return 0;
}
