# Run by ctest for heddle_discover_gtests(): one test per test of the program.
if(NOT EXISTS "${test_PROGRAM}")
  add_test("${test_PREFIX}${test_TARGET}_NOT_BUILT" "${test_PROGRAM}")
  return()
endif()
execute_process(COMMAND "${heddle_EXECUTABLE}" check --list-tests -- "${test_PROGRAM}" ${test_ARGS}
  WORKING_DIRECTORY "${test_DIRECTORY}" OUTPUT_VARIABLE names ERROR_VARIABLE error RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  # As a test that fails, and says why.
  add_test("${test_PREFIX}${test_TARGET}_LIST" "${heddle_EXECUTABLE}" check --list-tests --
    "${test_PROGRAM}" ${test_ARGS})
  return()
endif()
# Names may have what separates the items of a list.
string(REPLACE ";" "\\;" names "${names}")
string(REPLACE "[" "<heddle-open>" names "${names}")
string(REPLACE "]" "<heddle-close>" names "${names}")
string(REPLACE "\n" ";" names "${names}")
foreach(name IN LISTS names)
  if(name STREQUAL "")
    continue()
  endif()
  string(REPLACE "<heddle-open>" "[" name "${name}")
  string(REPLACE "<heddle-close>" "]" name "${name}")
  add_test("${test_PREFIX}${name}" "${heddle_EXECUTABLE}" check ${test_OPTIONS} "--test=${name}" --
    "${test_PROGRAM}" ${test_ARGS})
  set_tests_properties("${test_PREFIX}${name}" PROPERTIES LABELS heddle
    WORKING_DIRECTORY "${test_DIRECTORY}")
  if(test_TIMEOUT)
    set_tests_properties("${test_PREFIX}${name}" PROPERTIES TIMEOUT "${test_TIMEOUT}")
  endif()
endforeach()
