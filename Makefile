# A thin door to CMake and Ninja.  `make demo' and `make test' work on a fresh Debian 12 machine:
# they install what is missing, build, then act.
#
#   make [all]          build                      make test        every test (short form)
#   make demo           find and replay a bug      make test-long   the same with more of everything
#   make check          fast tests only            make test-real   build and check real projects
#   make bench          measurements               make test-mutants wrong changes must be noticed
#   make install PREFIX=/usr/local [DESTDIR=dir]
#   make deb            Debian packages in $(BUILD)/deb   make dist   source archive in $(BUILD)
#   make format         apply .clang-format        make clean

BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

build_abs := $(abspath $(BUILD))
export TEST_BUILD := $(build_abs)

.PHONY: all setup demo demo-reproduce check test test-long test-real test-mutants bench install deb dist format clean

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

demo-reproduce: all
	@examples/demo-reproduce.sh

check: all
	@tests/run-all unit house guest golden

test: all
	@tests/run-all

test-long: all
	@TEST_LONG=1 tests/run-all

test-real: all
	@tests/run-all real

test-mutants: all
	@TEST_LONG=1 tests/run-all mutants

bench: all
	@tests/bench/run.sh
	@for bench in tests/*/bench.sh; do echo; echo "## $$bench"; $$bench; done

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

# From a copy of what git knows, so that nothing is written in the source.
dist:
	@tools/package dist $(BUILD)

deb:
	@tools/package deb $(BUILD)

format:
	@git ls-files 'src/*.[ch]' 'tests/*.[ch]' | xargs $$(command -v clang-format-19 || echo clang-format) -i

clean:
	rm -rf $(BUILD)
