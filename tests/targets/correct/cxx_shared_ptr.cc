/*
 * Copies of a std::shared_ptr in several threads; the object goes with the last one.
 * expect: clean
 * flags: -std=c++17
 */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

static std::atomic<int> destroyed;

struct resource {
	std::vector<int> data{1, 2, 3};
	~resource() { destroyed++; }
};

int main()
{
	auto shared = std::make_shared<resource>();
	std::weak_ptr<resource> weak = shared;
	auto use = [](std::shared_ptr<resource> mine) { assert(mine->data[1] == 2); };
	std::thread a(use, shared), b(use, std::move(shared));

	a.join();
	b.join();
	assert(weak.expired() && destroyed == 1);
	return 0;
}
