// A pointer is taken away between the test and the use; what crashes is a function of the library's
// headers.
//
// Expected: signal
#include <memory>
#include <string>
#include <thread>

#include "../programs/nudge.h"

struct settings {
	std::string name = "long enough for the heap, and then some more";
};

static std::shared_ptr<settings> current = std::make_shared<settings>();
static size_t length;

static void use()
{
	if (current) {
		nudge_pass(0);
		nudge_wait(1);
		length = current->name.size(); // here
	}
}

int main()
{
	nudge_init(2);
	std::thread user(use), owner([] {
		nudge_wait(0);
		current = nullptr;
		nudge_pass(1);
	});

	user.join();
	owner.join();
	return length == 0;
}
