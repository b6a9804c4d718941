# The bug programs: failures known by kind and place alone.
reproduces() # NAME KIND SIGNAL LINE-TEXT FUNCTION [ARGUMENT...]
{
	local name=$1 kind=$2 signal=$3 text=$4 function=$5 line=0
	shift 5
	build "$name" || return
	[ "$text" = - ] || line=$(line_of "$name" "$text")
	./make_recording "$name.rec" "$kind" "$signal" "$(cd "$here/programs" && ls "$name".c*)" \
		"$line" "$function" check "./$name" "$@"
	"$heddle" reproduce -q --json -o "out-$name" "$name.rec" >out.json 2>err
	if [ $? -eq 1 ] && { "$heddle" replay -q --times=100 "$(field bundle)" >log 2>&1; [ $? -eq 1 ]; }; then
		ok "$name: $(field text)"
	else
		show out.json err log
		not_ok "$name"
	fi
	rm -rf "$name.rec"
}

reproduces racey 3 6 "assert(signature()" main 500
reproduces pfscan 3 6 "assert(sum" main
reproduces aget 4 0 - -
reproduces pbzip2 1 11 - consume
reproduces bbuf 3 6 "assert(count > 0)" get
reproduces sbuf 3 6 "assert(from <= to" "-"
reproduces httpd_idle 3 6 "assert(idlers" main
reproduces httpd_log 3 6 "assert(count_entries" main
reproduces httpd_cache 2 6 - give_back
reproduces queue_gone 1 11 "pthread_mutex_unlock(lock)" serve
