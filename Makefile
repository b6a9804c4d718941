# A thin door to CMake and Ninja.  `make demo' and `make test' work on a fresh Debian 12 machine:
# they install what is missing, build, then act.
#
#   make [all]          build                      make test        every test (short form)
#   make demo           find and replay a bug      make test-long   the same with more of everything
#   make check          fast tests only            make test-real   build and check real projects
#   make bench          measurements               make install PREFIX=/usr/local
#   make format         apply .clang-format        make clean

BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

build_abs := $(abspath $(BUILD))
export TEST_BUILD := $(build_abs)

.PHONY: all setup demo check test test-long test-real bench install format clean

all: setup $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j $(JOBS) --quiet

setup:
	@tools/setup.sh

$(BUILD)/build.ninja: CMakeLists.txt
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX) >$(BUILD).log 2>&1 \
		|| { cat $(BUILD).log; exit 1; }
	@mv $(BUILD).log $(BUILD)/configure.log

demo: all
	@examples/demo.sh

check: all
	@tests/run-all unit house guest golden

test: all
	@tests/run-all

test-long: all
	@TEST_LONG=1 tests/run-all

test-real: all
	@tests/run-all real

bench: all
	@tests/bench/run.sh
	@for bench in tests/*/bench.sh; do echo; echo "## $$bench"; $$bench; done

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

format:
	@git ls-files 'src/*.[ch]' 'tests/*.[ch]' | xargs $$(command -v clang-format-19 || echo clang-format) -i

clean:
	rm -rf $(BUILD)
