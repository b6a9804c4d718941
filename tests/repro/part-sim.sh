# Random programs (../check_random) that really failed on simulated cores, under each memory model: how
# many of them come back within a minute, under a model no weaker than the recorded one.
SIM_SEEDS=${REPRO_SIM_SEEDS:-6} # runs to draw before a state counts as never seen

states() # DIR NUMBER MODEL: the oracle's, those first that stronger models do not have; at most three
{
	python3 - "$@" <<'END'
import re, sys
text = open(sys.argv[1] + "/sets.h").read()
def states(model):
    m = re.search(r"set_%s_%s\[\][^{]*\{([^}]*)\}" % (sys.argv[2], model), text)
    return re.findall(r"(\d+)u", m.group(1)) if m else []
models = ["sc", "tso", "pso"]
seen = set()
for model in models[:models.index(sys.argv[3])]:
    seen |= set(states(model))
all = states(sys.argv[3])
print(*([s for s in all if s not in seen] + [s for s in all if s in seen])[:3])
END
}

sim_recorded() # DIR NUMBER MODEL: sim.rec is of a failing run
{
	local item seed
	rm -rf sim.rec
	for item in $(states "$@"); do
		for ((seed = 1; seed <= SIM_SEEDS; seed++)); do
			timeout 60 "$heddle" record -q --backend=sim --seed=$seed --model="$3" -o sim.rec \
				"$1/batch" "$2" not "$3" "$item" >log 2>&1
			[ -d sim.rec ] && return 0
		done
	done
	return 1
}

not_weaker() # MODEL THAN
{
	case $1-$2 in
	sc-* | tso-tso | tso-pso | pso-pso) return 0 ;;
	esac
	return 1
}

sim_group() # METHOD NAME SEED PROGRAMS THREADS OPERATIONS FEATURES
{
	local method=$1 name=$2 dir=sim-$2 number model rest good=0 all=0
	shift 2
	random_build "$dir" "$@" >log 2>&1 || { show log; not_ok "sim $name builds"; return; }
	: >"$dir/wrong"
	while read -r number model rest <&3; do
		sim_recorded "$dir" "$number" "$model" || continue
		all=$((all + 1))
		"$heddle" reproduce -q --json --time=60 --method="$method" --replays=20 -o "out-$dir" \
			sim.rec >out.json 2>err
		if [ $? -eq 1 ] && not_weaker "$(field model)" "$model"; then
			good=$((good + 1))
		else
			echo "$number $model: $(field model) $(field text) $(cat err)" >>"$dir/wrong"
			[ -n "${REPRO_KEEP-}" ] && cp -r sim.rec "$REPRO_KEEP/$name-$method-$number-$model.rec"
		fi
	done 3< <(grep -v -- ' - - - -' "$dir/oracle.txt")
	show "$dir/wrong" | head -n 10
	[ "$all" -gt 0 ] && [ $((good * 100)) -ge $((all * 99)) ]
	report "sim $name: $good of $all recorded failures reproduced by $method" $?
}

# Programs that fail on simulated cores, computed and searched for: pointers, indices and attempts that
# the recording leaves open, exceptions, divisions, and failures that need store buffers.
sim_program() # NAME MODEL METHODS [ARGUMENT...]
{
	local name=$1 model=$2 methods=$3 seed method
	shift 3
	build "$name" || return
	rm -rf sim.rec
	for ((seed = 1; seed <= 40; seed++)); do
		timeout 60 "$heddle" record -q --backend=sim --seed=$seed --model="$model" -o sim.rec \
			"./$name" "$@" >log 2>&1
		[ -d sim.rec ] && break
	done
	[ -d sim.rec ] || { show log; not_ok "sim $name fails in 40 runs"; return; }
	for method in $methods; do
		"$heddle" reproduce -q --json --method="$method" --replays=50 -o "out-sim-$name" sim.rec \
			>out.json 2>err
		if [ $? -eq 1 ] && [ "$(field model)" = "$model" ] && [ "$(field method)" = "$method" ]; then
			ok "sim $name: $(field text)"
		else
			show out.json err
			not_ok "sim $name: $method"
		fi
	done
}

# Its failure is in no schedule that somebody would draw: the recorded bits lead to it.
sim_winners()
{
	local all
	build winners || return
	all=$("$heddle" record -q --backend=sim --seed=3 ./winners 0)
	rm -rf sim.rec
	"$heddle" record -q --backend=sim --seed=3 -o sim.rec ./winners "$all" >log 2>&1
	[ -d sim.rec ] || { show log; not_ok "sim winners fails"; return; }
	"$heddle" reproduce -q --json --method=search --model=sc --replays=50 -o out-winners sim.rec \
		>out.json 2>err
	[ $? -eq 1 ] || show out.json err
	[ "$(field reproduced)" = True ]
	report "sim winners: $(field text)" $?
}

sim_winners
sim_program buffers tso "solve search"
sim_program yields tso solve
sim_program buffer_one sc "solve search"
sim_program dcl sc "solve search"
sim_program div0 sc solve
sim_program order_init sc solve
sim_program pbzip2 sc search
sim_program rwlock_up sc solve
sim_program sem_ctor sc solve
sim_program uaf_list sc solve
if [ -n "${TEST_LONG-}" ]; then
	sim_program message pso "solve search"
	sim_program sem_buf sc solve
	sim_program cxx_shared sc "solve search"
	sim_program cxx_throw sc "solve search"
	sim_program stack_lf sc search
	sim_program tls_key sc search
fi

if [ -n "${TEST_LONG-}" ]; then
	for method in auto solve; do
		sim_group $method accesses 301 25 3 6 bi
		sim_group $method locks 302 25 3 5 bl
		sim_group $method conditions 303 25 3 4 lc
		sim_group $method semaphores 304 25 3 5 bsm
		sim_group $method mixed 305 25 3 5 brtafn
	done
else
	sim_group solve accesses 401 2 3 6 bi
fi
