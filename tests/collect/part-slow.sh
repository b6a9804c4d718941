# Clients that do not finish (sourced by run.sh).
start slow --store=sqlite:slow.db --timeout=1 --rate=0
before=$(ls "/proc/$daemon/fd" | wc -l)
timeout 200 python3 "$here/slow.py" "$port"
report "slow: half-open and dripping connections are closed" $?
[ "$(metric slow_total)" -ge 4 ] && [ "$(metric cut_off_total)" -ge 4 ]
report "slow: they are counted" $?
for ((i = 0; i < 100; i++)); do [ "$(metric memory_bytes)" = 0 ] && [ "$(ls "/proc/$daemon/fd" | wc -l)" -le $((before + 2)) ] && break; sleep 0.2; done
[ "$i" -lt 100 ]
report "slow: nothing is left of them" $?
./load "$port" 4 50 1 >/dev/null
report "slow: others are served" $?
stop
report "slow: it ends cleanly" $?
