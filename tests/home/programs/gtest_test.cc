// Real GoogleTest: one test that may fail, one that may not.
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

struct lazy {
	std::atomic<int> ready{0}, made{0};
	void get()
	{
		if (!ready) {
			made++;
			ready = 1;
		}
	}
};

TEST(Lazy, MadeOnce)
{
	lazy l;
	std::thread a([&] { l.get(); }), b([&] { l.get(); });
	a.join();
	b.join();
	EXPECT_EQ(l.made.load(), 1);
}

TEST(Plain, Sum)
{
	EXPECT_EQ(1 + 1, 2);
}
