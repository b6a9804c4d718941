#!/bin/bash
# heddle record: programs run natively and fail; the recordings say how.
# Usage: run.sh [part...]; RECORD_PROGRAMS: the programs of the part `marked', instead of the usual ones.
#
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 83
cd "$TEST_TMP" || exit 3
export TEST_HERE=$here
. "$here/helpers.sh"
for part in "$here"/part-*.sh; do
	name=${part##*/part-} name=${name%.sh}
	case " ${*:-$name} " in *" $name "*) . "$part" ;; esac
done
exit "$failed"
