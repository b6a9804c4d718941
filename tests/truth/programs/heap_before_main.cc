/*
 * A block that the constructor of a global object allocated is dead once it was given back.
 *
 * expect: 1
 * match: use after free|after free
 */
#include <memory>
#include <thread>

struct shape {
	virtual ~shape() {}
	virtual int sides() = 0;
};
struct triangle : shape {
	int sides() override { return 3; }
};
struct square : shape {
	int sides() override { return 4; }
};

static std::unique_ptr<shape> current = std::make_unique<triangle>();

int main()
{
	std::thread t([] { current = std::make_unique<square>(); });

	current->sides();
	t.join();
}
