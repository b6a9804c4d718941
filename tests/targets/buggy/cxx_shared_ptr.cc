/*
 * Bug: an object is used after it was destroyed.
 * Cause: one std::shared_ptr object is copied by one thread while another resets it; only the
 * reference count is safe, not the pointer itself.
 * expect: use-after-free
 * flags: -std=c++17
 */
#include <memory>
#include <thread>

struct session {
	int id = 7;
};

static std::shared_ptr<session> current;
static volatile int seen;

int main()
{
	current = std::make_shared<session>();
	std::thread user([] {
		std::shared_ptr<session> mine = current;
		if (mine)
			seen = mine->id;
	});
	std::thread closer([] { current.reset(); });
	user.join();
	closer.join();
	return 0;
}
