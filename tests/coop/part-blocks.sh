# Orders of blocks of code instead of elements, the one order of all blocks, and one build for all
# profiles.
build two && build never || exit 1

# ---- blocks ----

"$heddle" coop profile --blocks --percent=100 ./two >blocks.profile &&
	[ "$(sed -n 's/^blocks //p' blocks.profile)" -eq "$(grep -c '^element ' blocks.profile)" ] &&
	! grep '^element ' blocks.profile | grep -vqE '^element [0-9]+ [A-Za-z_0-9]+:[0-9]+#[0-9]+$'
verdict "blocks: the profile names functions and lines" $? blocks.profile
"$heddle" coop profile --blocks --percent=50 ./two >a && "$heddle" coop profile --blocks --percent=50 ./two >b &&
	cmp -s a b && [ "$(grep -c '^element ' a)" -eq $((($(sed -n 's/^blocks //p' a) * 50 + 50) / 100)) ]
report "blocks: the share is rounded as for elements" $?

# with_profile FILE NAME NUDGE [OPTION...]: one failing run with this profile.
with_profile()
{
	NUDGE=$3 timeout 60 "$heddle" record --hang=500ms --partial="$1" -o "logs-$1" "${@:4}" "./$2" \
		>record.log 2>&1 </dev/null
	status=$?
}
with_profile blocks.profile two early
with_profile blocks.profile two early
"$heddle" coop show --program=./two logs-blocks.profile/two-1.crep >text
[ "$(grep -c '#[0-9]*: \[T' text)" -gt 2 ]
verdict "blocks: a log has orders of blocks" $? text
merge ./two logs-blocks.profile
[ $status -eq 1 ] && [ "$(field .elements)" -eq "$(sed -n 's/^blocks //p' blocks.profile)" ] &&
	"$heddle" replay -q --times=100 "$(field .bundle)" 2>&1 </dev/null | grep -q "100 of 100 identical"
verdict "blocks: merged, and fails every time" $? out.json err

# Programs whose failure is decided by blocks.
for name in bufferwriter manager ticketorder twostage; do
	build $name || continue
	"$heddle" coop profile --blocks --percent=100 ./$name >$name.blocks
	with_profile $name.blocks $name 1
	merge ./$name logs-$name.blocks
	[ $status -eq 1 ] && [ "$(field .attempts)" -le 200 ]
	verdict "blocks: $name fails again" $? out.json err record.log
done

# ---- one order of all blocks ----

"$heddle" coop profile --global ./two >global.profile && grep -qx 'global 1' global.profile &&
	[ "$(grep -c '^element ' global.profile)" -eq 1 ]
verdict "one order: the profile has one element" $? global.profile
with_profile global.profile two early
n=$("$heddle" coop show logs-global.profile/two-1.crep | grep -c '^#')
merge ./two logs-global.profile
[ "$n" -eq 1 ] && [ $status -eq 1 ] && [ "$(field .elements)" -eq 1 ]
verdict "one order: recorded, merged" $? out.json err

# ---- kinds do not mix ----

record two early
merge ./two logs-two logs-blocks.profile
[ $status -eq 3 ] && grep -q 'is a log of blocks, .* is one of elements' err
verdict "logs of blocks and of elements are not merged" $? err
merge ./never logs-blocks.profile 2>/dev/null
[ $status -eq 3 ]
report "blocks: logs of another build are refused" $?
sed 's/^blocks /elements /' blocks.profile >odd.profile
with_profile odd.profile two early
[ $status -eq 3 ] && grep -q "profile is of another build" record.log
verdict "blocks: a profile of the wrong kind is refused" $? record.log

# ---- one build for all profiles ----

rm -rf "$XDG_CACHE_HOME"
for seed in 1 2 3; do
	"$heddle" coop profile --percent=50 --seed=$seed ./two >dynamic.profile
	with_profile dynamic.profile two early --dynamic
	"$heddle" coop show --program=./two logs-dynamic.profile/two-$seed.crep | sed -n 's/^\([a-z]*\): .*/\1/p' |
		grep -vx run >seen
	grep '^element ' dynamic.profile | cut -d' ' -f3 | cmp -s - seen || break
done
verdict "dynamic: a log has the elements of its profile" $? dynamic.profile seen
[ "$(find "$XDG_CACHE_HOME" -name 'two-*.coop' | wc -l)" -eq 1 ]
report "dynamic: one build for three profiles" $?
with_profile two.profile two early --dynamic
"$heddle" coop show --program=./two logs-two.profile/two-1.crep | grep '^ready: \[T0:1 x1, T0:2 x1\]$' >text
verdict "dynamic: the order is the one that was" $? text
merge ./two logs-dynamic.profile
[ $status -eq 1 ]
verdict "dynamic: halves are merged" $? out.json err
with_profile blocks.profile two early --dynamic
[ -s logs-blocks.profile/two-3.crep ]
report "dynamic: also of blocks" $?
"$heddle" record --dynamic ./two >log 2>&1
[ $? -eq 2 ] && grep -q -- '--dynamic is of --partial only' log
report "dynamic: without a profile it is refused" $?
