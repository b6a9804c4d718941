# Sourced by run.sh: the headers that stand in for the C++ library's (src/cxx).
rm -rf x && mkdir x && cd x || exit 3
runs() { local out; out=$("${@:3}" 2>&1); [ "$out" = "$2" ]; report "$1" $?; }
cat >containers.cc <<'END'
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <set>
#include <string>

typedef std::_Rb_tree<int, int, std::_Identity<int>, std::less<int>, std::allocator<int> > tree;

/* The tree keeps the library's own rules after every step, and has what a plain array has. */
static bool trees()
{
	bool in[64] = {false};
	tree t;

	std::srand(1);
	for (int i = 0; i < 4000; i++) {
		int n = std::rand() % 64;

		if (in[n])
			t.erase(n);
		else
			t._M_insert_unique(n);
		in[n] = !in[n];
		if (!t.__rb_verify())
			return false;
		tree::iterator at = t.begin();
		for (int k = 0; k < 64; k++)
			if (in[k] && *at++ != k)
				return false;
		if (at != t.end())
			return false;
		for (int k = 64; k-- > 0;)
			if (in[k] && *--at != k)
				return false;
	}
	return true;
}

static bool lists()
{
	std::list<std::string> a, b;

	a.push_back("a long string, so that it lies on the heap");
	a.push_front("x");
	a.swap(b); /* one of them has none */
	a.push_back("m");
	a.swap(b);
	a.splice(a.begin(), b);
	a.splice(a.end(), a, a.begin());
	a.splice(a.end(), a, a.begin(), --a.end());
	a.reverse();
	a.sort();
	a.remove("m");
	a.merge(b);
	return a.size() == 2 && a.front()[0] == 'a' && a.back() == "x" && b.empty() &&
	       std::distance(a.rbegin(), a.rend()) == 2;
}

int main()
{
	std::map<std::string, int> m;

	m["one"] = 1;
	m["a key that is longer than fifteen characters"] = 2;
	std::printf("%d %d %d\n", trees(), lists(), (int)m.size());
	return 0;
}
END
for std in c++98 gnu++11 c++14 c++17 c++20 c++23; do
	$cxx -std=$std -Wall -Wextra -Werror -pedantic-errors -O1 containers.cc -o containers 2>log; show log
	runs "containers in $std" "1 1 2" ./containers
done
$cxx -std=c++17 -D_GLIBCXX_USE_CXX11_ABI=0 containers.cc -o containers; runs "strings of the old kind" "1 1 2" ./containers
$cxx -D_GLIBCXX_DEBUG -D_GLIBCXX_ASSERTIONS containers.cc -o containers; runs "containers that check themselves" "1 1 2" ./containers
$cxx -O0 containers.cc -o containers; runs "containers without optimisation" "1 1 2" ./containers

# What must be in the program itself, and what not.
$cxx -std=c++17 -O1 -c containers.cc -o c.o
outside() { ! nm -C "$1" | grep -E ' U std::(__cxx11::basic_string|_Rb_tree_[idr]|__detail::_List)'; }
outside c.o
report "strings, trees and lists are compiled with the user's code" $?
printf '#include <iostream>\nint main() { std::cout << 1 << "x" << 2.5 << std::endl; }\n' >out.cc
$cxx -std=c++17 -O1 -c out.cc -o o.o && nm -C o.o | grep -q ' U std::ostream::operator<<(int)'
report "streams are not" $?

# The ways to bring headers in.
printf '#include <map>\n#include <string>\n' >all.h
printf '#include "all.h"\n#include <cstdio>\nint main() { std::map<std::string, int> m; m["a"]; return std::printf("%%d\\n", (int)m.size()) < 0; }\n' >pch.cc
$cxx -std=c++17 -x c++-header all.h -o all.h.pch && $cxx -std=c++17 -Werror -include-pch all.h.pch pch.cc -o pch 2>log; show log
runs "precompiled headers" 1 ./pch
$cxx -std=c++17 -Werror -include all.h pch.cc -o pch 2>log; show log
runs "precompiled headers found by name" 1 ./pch
$cxx -std=c++17 -isystem /usr/include/c++/12 -isystem /usr/include/x86_64-linux-gnu/c++/12 -c containers.cc -o c.o && outside c.o
report "the library's directory given by the user" $?
printf 'int main() { return 0; }\n' >bare.cc; $cxx -nostdinc++ bare.cc -o bare && ./bare; report "-nostdinc++" $?
printf 'int f(int class) { return class; }\n' >part.c; $cxx -x c part.c -c -o cpart.o; report "C sources by heddle-c++" $?
$cxx -std=c++17 -E containers.cc -o pre.ii && $cxx -std=c++17 -w pre.ii -o containers; runs "preprocessed C++" "1 1 2" ./containers
cd ..
