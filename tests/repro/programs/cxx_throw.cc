// Exception in a thread that nobody catches, thrown when the order is wrong.
#include <atomic>
#include <stdexcept>
#include <thread>
static std::atomic<int> stage{0};
struct Pipeline {
	virtual ~Pipeline()
	{
	}
	virtual void run() = 0;
};
struct First : Pipeline {
	void run() override
	{
		for (volatile int i = 0; i < 500; i++)
			;
		stage.store(1);
	}
};
struct Second : Pipeline {
	void run() override
	{
		for (volatile int i = 0; i < 500; i++)
			;
		if (stage.load() != 1)
			throw std::logic_error("second stage before the first");
		stage.store(2);
	}
};
static void go(Pipeline *p)
{
	p->run();
}
int main()
{
	First f;
	Second s;
	std::thread a(go, &f), b(go, &s);
	a.join();
	b.join();
	return 0;
}
