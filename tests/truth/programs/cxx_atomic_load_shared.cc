/*
 * The free functions atomic_load and atomic_store on shared_ptr, which lock inside the library.
 *
 * expect: 0
 * cc: -Wno-deprecated-declarations
 */
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> current = std::make_shared<int>(1);

int main()
{
	std::thread other([] { std::atomic_store(&current, std::make_shared<int>(2)); });
	std::shared_ptr<int> seen = std::atomic_load(&current);

#ifdef OLD
	assert(*seen == 1);
#endif
	assert(*seen == 1 || *seen == 2);
	other.join();
	assert(*current == 2);
}
