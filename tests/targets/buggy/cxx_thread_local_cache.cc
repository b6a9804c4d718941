/*
 * Bug: a thread works with an old price.
 * Cause: a thread_local copy is filled once and never compared with the shared version again.
 * expect: assert
 * flags: -std=c++17
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> price{1}, version{1};
static thread_local int cached_price, cached_version;

static int price_get()
{
	if (cached_version == 0) {
		cached_version = version.load();
		cached_price = price.load();
	}
	return cached_price;
}

int main()
{
	std::thread reader([] {
		price_get();
		int v = version.load();
		assert(v == 1 || price_get() == 2);
	});
	std::thread writer([] {
		price.store(2);
		version.store(2);
	});
	reader.join();
	writer.join();
	return 0;
}
