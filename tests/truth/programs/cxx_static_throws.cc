/*
 * The constructor of a local static throws the first time: whoever comes next constructs it.
 *
 * expect: 0
 */
#include <cassert>
#include <stdexcept>
#include <thread>

static int attempts, failures[2];

struct fragile {
	int value;
	fragile() : value(7)
	{
		if (attempts++ == 0)
			throw std::runtime_error("not yet");
	}
};

static void use(int me)
{
	try {
		static fragile it;
		assert(it.value == 7);
	} catch (const std::runtime_error &) {
		failures[me]++;
	}
}

int main()
{
	std::thread other(use, 0);

	use(1);
	other.join();
#ifdef OPTIMIST
	assert(failures[0] == 1);
#endif
	assert(attempts == 2 && failures[0] + failures[1] == 1);
}
