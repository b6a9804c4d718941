/*
 * A local static whose first use races: one thread constructs it, the other waits for it.
 *
 * expect: 0
 */
#include <cassert>
#include <string>
#include <thread>

static int made;

struct settings {
	std::string name = "a name that needs memory of its own";
	settings() { made++; }
};

static const settings &get()
{
#ifdef BY_HAND
	static settings *one;

	if (!one)
		one = new settings;
	return *one;
#else
	static settings one;

	return one;
#endif
}

int main()
{
	std::thread other([] { assert(get().name.size() == 35); });

	assert(get().name[0] == 'a');
	other.join();
	assert(made == 1);
}
