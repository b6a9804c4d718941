# Sourced by run.sh: zstd with two workers compresses a file; a small one under every schedule.

# At -O1: nobody measures speed here, and it is a third of the time.
build_zstd() { make -C libzstd/programs -j"$(nproc)" CC="$heddle cc" CFLAGS="-O1 -g" HAVE_THREAD=1 zstd; }

zstd_there_and_back()
{
	"$heddle" run --quiet --seed="$1" -o "zstd$1.heddle" \
		libzstd/programs/zstd -1 -T2 -q -f -o packed.zst input 2>run.err &&
		libzstd/programs/zstd -d -q -c packed.zst | cmp -s - input && return 0
	show run.err
	return 1
}

if get zstd libzstd; then
	cp -a "$fetched/libzstd" .
	if timed "zstd builds" build_zstd; then
		seq 1 60000 | head -c 250000 >input
		head -c 20000 input >small
		libzstd/programs/zstd -T2 -q -c input | libzstd/programs/zstd -d -q -c | cmp -s - input
		report "zstd works without heddle around it" $?
		zstd_there_and_back 1 && zstd_there_and_back 2
		report "zstd -T2 compresses under control" $?
		answer zstd "0" 60 libzstd/programs/zstd -1 -T2 -q -c small
	fi
fi
