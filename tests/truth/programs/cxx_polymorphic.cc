/*
 * Virtual calls, dynamic_cast and typeid on an object that threads share.
 *
 * expect: 0
 */
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <typeinfo>

struct shape {
	virtual ~shape() = default;
	virtual int corners() const = 0;
};
struct square : shape {
	int corners() const override { return 4; }
};
struct triangle : shape {
	int corners() const override { return 3; }
};

static std::mutex lock;
static std::unique_ptr<shape> current = std::make_unique<square>();

int main()
{
	std::thread other([] {
		auto fresh = std::make_unique<triangle>();
#ifndef UNLOCKED
		std::lock_guard<std::mutex> hold(lock);
#endif
		current = std::move(fresh);
	});
	{
		std::lock_guard<std::mutex> hold(lock);
		bool is_square = dynamic_cast<square *>(current.get()) != nullptr;

		assert(current->corners() == (is_square ? 4 : 3));
		const shape &it = *current;
		assert((typeid(it) == typeid(square)) == is_square);
	}
	other.join();
	assert(current->corners() == 3);
}
