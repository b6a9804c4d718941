// shared_ptr assigned while copied.
#include <cassert>
#include <memory>
#include <thread>
#include <vector>
struct Conf {
	int a, b;
	Conf(int x) : a(x), b(x)
	{
	}
};
static std::shared_ptr<Conf> conf = std::make_shared<Conf>(1);
static int generation = 1;
static void update()
{
	for (int i = 2; i < 40; i++) {
		conf->a = i;
		conf->b = i;
		generation = i;
	}
}
static void use()
{
	for (int i = 0; i < 40; i++) {
		std::shared_ptr<Conf> c = conf;
		int a = c->a, b = c->b;
		if (a != b)
			throw std::vector<int>(1, a).at(0);
	}
}
int main()
{
	std::thread t(update), u([] {
		try {
			use();
		} catch (int) {
			assert(!"torn configuration");
		}
	});
	t.join();
	u.join();
	return 0;
}
