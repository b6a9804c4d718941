/* Something to compute: arithmetic, branches, calls and local memory, hardly any events. */
static unsigned table[256];

static unsigned mix(unsigned h, unsigned v)
{
	return (h ^ v) * 16777619u;
}

int main(void)
{
	unsigned h = 1;

	for (unsigned r = 0; r < 20000; r++) {
		unsigned local[64];

		for (unsigned i = 0; i < 64; i++) {
			local[i] = h * i + r;
			h = mix(h, local[i]);
			if (h % 3 == 0)
				h += 7;
		}
	}
	table[h % 256] = h;
	return table[h % 256] != h;
}
