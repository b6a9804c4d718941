# How programs fail, and that nothing else about them changes.

failing assertion 134 assertion
report "record/assertion-message" $([[ "$(key out.rec .failure.message)" == *"assertion.c:14: int main(void): Assertion \`count == 0' failed." ]]; echo $?)
report "record/assertion-place" $([ "$(key out.rec .failure.place.line)" = 14 ]; echo $?)
failing property 134 assertion
failing null 139 signal
report "record/null-place" $([ "$(key out.rec .failure.place.function)" = reader ]; echo $?)
report "record/null-thread" $([ "$(key out.rec .failure.thread)" = 1 ]; echo $?)
failing nowhere 139 signal
report "record/nowhere-place" $([ "$(key out.rec .failure.place.function)" = caller ]; echo $?)
failing divide 136 signal
failing aborts 134 abort
failing throws 134 abort
failing overflow 139 signal
failing killed 137 killed

# A run without failure leaves nothing, unless it is asked for.
build fine && rm -rf out.rec && "$heddle" record -o out.rec ./fine >record.out 2>record.err
report record/fine-status $([ $? -eq 7 ]; echo $?)
report record/fine-leaves-nothing $([ ! -e out.rec ] && [ ! -s record.err ] && ! ls -d out.rec* >/dev/null 2>&1; echo $?)
"$heddle" record --keep=all -o out.rec ./fine >record.out 2>record.err
report record/keep-all $([ "$(key out.rec .failure)" = null ] && [ "$(key out.rec .status)" = 7 ]; echo $?)
