/*
 * Two threads drop their shares of one object; the last one destroys it.
 *
 * expect: 0
 */
#include <cassert>
#include <memory>
#include <string>
#include <thread>

static int gone;

struct thing {
	std::string name = "something with memory of its own";
	~thing() { gone++; }
};

int main()
{
	auto one = std::make_shared<thing>();
#ifdef RAW
	thing *two = one.get();
#else
	auto two = one;
#endif
	std::thread other([two]() mutable {
		assert(two->name.size() == 32);
#ifndef RAW
		two.reset();
#endif
	});

#ifndef RAW
	two.reset();
#endif
	one.reset();
	other.join();
	assert(gone == 1);
}
