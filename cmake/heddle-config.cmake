# heddle in CMake projects: find_package(heddle).
#
#   cmake -B build-heddle --toolchain=/usr/lib/cmake/heddle/heddle-toolchain.cmake
#
#   find_package(heddle)
#   heddle_add_test(TARGET [NAME name] [ARGS arg...] [OPTIONS option...] [TIMEOUT seconds])
#       adds a test that runs `heddle check' on the target
#   heddle_discover_gtests(TARGET [ARGS arg...] [OPTIONS option...] [PREFIX prefix] [TIMEOUT seconds])
#       adds one such test per test of a GoogleTest or Catch2 program, found when ctest runs
#
# OPTIONS are options of heddle check.  In a build without heddle's compilers both do nothing, so that one
# CMakeLists.txt serves all builds; heddle_ACTIVE says which it is.  Sets heddle_EXECUTABLE,
# heddle_C_COMPILER, heddle_CXX_COMPILER, heddle_TOOLCHAIN and the target heddle::heddle with the headers
# <heddle/...>.

get_filename_component(heddle_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(heddle_EXECUTABLE "${heddle_PREFIX}/bin/heddle")
set(heddle_C_COMPILER "${heddle_PREFIX}/bin/heddle-cc")
set(heddle_CXX_COMPILER "${heddle_PREFIX}/bin/heddle-c++")
set(heddle_TOOLCHAIN "${CMAKE_CURRENT_LIST_DIR}/heddle-toolchain.cmake")
set(heddle_TEST_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/heddle-tests.cmake")

if(NOT EXISTS "${heddle_EXECUTABLE}")
  set(heddle_FOUND FALSE)
  set(heddle_NOT_FOUND_MESSAGE "${heddle_EXECUTABLE} is missing: install the package heddle")
  return()
endif()

if(NOT TARGET heddle::heddle)
  add_library(heddle::heddle INTERFACE IMPORTED)
  set_target_properties(heddle::heddle PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${heddle_PREFIX}/include")
endif()

set(heddle_ACTIVE FALSE)
if("${CMAKE_C_COMPILER};${CMAKE_CXX_COMPILER}" MATCHES "heddle-(cc|c\\+\\+)")
  set(heddle_ACTIVE TRUE)
else()
  message(STATUS "heddle: its tests are added in a build with its compilers: "
    "cmake -B build-heddle --toolchain=${heddle_TOOLCHAIN}")
endif()

function(heddle_add_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;TIMEOUT" "ARGS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_test: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT heddle_ACTIVE)
    return()
  endif()
  if(NOT arg_NAME)
    set(arg_NAME "heddle.${target}")
  endif()
  add_test(NAME "${arg_NAME}"
    COMMAND "${heddle_EXECUTABLE}" check ${arg_OPTIONS} -- "$<TARGET_FILE:${target}>" ${arg_ARGS})
  set_tests_properties("${arg_NAME}" PROPERTIES LABELS heddle)
  if(arg_TIMEOUT)
    set_tests_properties("${arg_NAME}" PROPERTIES TIMEOUT "${arg_TIMEOUT}")
  endif()
endfunction()

# The list is made when ctest runs: the program has to be there first.
function(heddle_discover_gtests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX;TIMEOUT" "ARGS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_discover_gtests: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT heddle_ACTIVE)
    return()
  endif()
  if(NOT arg_PREFIX)
    set(arg_PREFIX "heddle.")
  endif()
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${target}-heddle-tests.cmake")
  file(GENERATE OUTPUT "${file}" CONTENT
"set(heddle_EXECUTABLE [==[${heddle_EXECUTABLE}]==])
set(test_PROGRAM [==[$<TARGET_FILE:${target}>]==])
set(test_TARGET [==[${target}]==])
set(test_ARGS [==[${arg_ARGS}]==])
set(test_OPTIONS [==[${arg_OPTIONS}]==])
set(test_PREFIX [==[${arg_PREFIX}]==])
set(test_TIMEOUT [==[${arg_TIMEOUT}]==])
set(test_DIRECTORY [==[${CMAKE_CURRENT_BINARY_DIR}]==])
include([==[${heddle_TEST_SCRIPT}]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
endfunction()
