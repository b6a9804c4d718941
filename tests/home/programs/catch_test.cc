// Real Catch2: names with everything that has a meaning in its patterns.
#define CATCH_CONFIG_MAIN
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

TEST_CASE("made once, or [twice]")
{
	std::atomic<int> ready{0}, made{0};
	auto get = [&] {
		if (!ready) {
			made++;
			ready = 1;
		}
	};
	std::thread a(get), b(get);
	a.join();
	b.join();
	REQUIRE(made == 1);
}

TEST_CASE("sum")
{
	REQUIRE(1 + 1 == 2);
}
