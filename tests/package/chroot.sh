# The packages in a minimal Debian 12 of their own: built in one that has only what they ask for, installed in
# another, used by the man page, removed.  A pack made here is replayed there by another user.  Sourced.
base=$PWD/debian12.tar
inside() # DIRECTORY COMMAND
{
	chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -c "$2"
}
# new_debian DIRECTORY: what debootstrap made, with the sources of packages that this machine has.
new_debian()
{
	mkdir -p "$1" && tar -C "$1" -xf "$base" && mkdir -p "$1/proc" && mount --bind /proc "$1/proc" || return 1
	cp /etc/resolv.conf "$1/etc/" 2>/dev/null
	cp /etc/apt/sources.list "$1/etc/apt/" 2>/dev/null
	cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d "$1/etc/apt/" 2>/dev/null
	inside "$1" 'apt-get update' >apt.log 2>&1
}
end_debian() { umount "$1/proc" && rm -rf --one-file-system "$1"; }

if ! { debootstrap --variant=minbase bookworm "$PWD/debian12" && tar -C debian12 -cf "$base" . &&
	rm -rf --one-file-system debian12; } >debootstrap.log 2>&1; then
	show <(tail -n 3 debootstrap.log)
	skip "a minimal Debian" "debootstrap does not get one here"
	return 0
fi

builder=$PWD/builder
new_debian "$builder" && mkdir "$builder/root/heddle" && tar xzf "$archive" -C "$builder/root/heddle" --strip-components=1
inside "$builder" 'apt-get install -y --no-install-recommends build-essential debhelper && cd /root/heddle &&
	apt-get build-dep -y --no-install-recommends ./' >apt.log 2>&1 &&
	inside "$builder" 'cd /root/heddle && make deb' >make.log 2>&1
status=$?; [ $status -eq 0 ] || show <(tail -n 5 apt.log make.log)
report "Debian packages are built where only what they ask for is installed" $status
mkdir -p clean && cp "$builder"/root/heddle/build/deb/*.deb clean/
end_debian "$builder"
[ $status -eq 0 ] || return 0

user=$PWD/user
new_debian "$user" && cp clean/*.deb "$root/examples/transfer.c" "$user/root/"
inside "$user" 'find / -xdev -path /proc -prune -o -path /root -prune -o -print | sort' >before.txt
inside "$user" 'cd /root && apt-get install -y --no-install-recommends libc6-dev ./heddle_*.deb ./heddle-dev_*.deb ./heddle-doc_*.deb' \
	>apt.log 2>&1
status=$?; [ $status -eq 0 ] || show <(tail -n 5 apt.log)
report "they are installed in a minimal Debian" $status
# EXAMPLES of heddle(1), with the example of the README.
inside "$user" 'mkdir /root/demo && cd /root/demo && cp ../transfer.c prog.c && heddle cc -g -o prog prog.c -pthread &&
	./prog; heddle check ./prog; [ $? -eq 1 ] && heddle replay heddle-out/prog-1.heddle; [ $? -eq 1 ] &&
	heddle replay --times=100 heddle-out/prog-1.heddle' >demo.txt 2>&1
grep -q '"balance == 200"' demo.txt && grep -q '100 of 100 identical' demo.txt
status=$?; [ $status -eq 0 ] || show demo.txt
report "the examples of its man page work there" $status

# From here to there: another machine image, user and directory.
cp "$root/examples/transfer.c" "$root/tests/home/programs/sends.cc" . && echo hello >in.txt
"$heddle" cc -g -O2 -pthread -o transfer transfer.c && "$heddle" c++ -g -pthread -o sends sends.cc
"$heddle" check ./transfer >/dev/null 2>&1
"$heddle" check --runs=2000 --stdin=in.txt ./sends a b >/dev/null 2>&1
"$heddle" pack -q heddle-out/transfer-1.heddle && "$heddle" pack -q heddle-out/sends-1.heddle
inside "$user" 'useradd -m colleague'
cp ./*.heddle-pack "$user/home/colleague/" && inside "$user" 'chown colleague: /home/colleague/*.heddle-pack'
for name in transfer sends; do
	inside "$user" "su colleague -c 'cd && mkdir -p at/$name && cd at/$name && heddle replay --times=100 ../../$name-1.heddle-pack'" >there.txt 2>&1
	grep -q '100 of 100 identical' there.txt; status=$?; [ $status -eq 0 ] || show there.txt
	report "a pack of $name replays there" $status
done
inside "$user" 'cd /root/demo && heddle pack -q -o /home/back.pack heddle-out/prog-1.heddle' >/dev/null 2>&1
"$heddle" replay --times=100 "$user/home/back.pack" >here.txt 2>&1
grep -q '100 of 100 identical' here.txt; status=$?; [ $status -eq 0 ] || show here.txt
report "and one from there replays here" $status
inside "$user" 'userdel -r colleague 2>/dev/null; rm -f /home/back.pack; ls -d /tmp/heddle*' >left.txt 2>/dev/null
[ ! -s left.txt ]; report "they leave nothing in the temporary directory" $?

inside "$user" 'dpkg -L heddle heddle-dev heddle-doc | sort -u' >files.txt
inside "$user" 'apt-get purge -y heddle heddle-dev heddle-doc' >apt.log 2>&1
while read -r path; do
	{ [ -f "$user$path" ] || [ -h "$user$path" ]; } && echo "$path"
done <files.txt >left.txt
# Nothing by that name, and nothing at all once what it needed is removed as well.
inside "$user" 'find / -xdev -path /root -prune -o -path /proc -prune -o -name "*heddle*" -print' >>left.txt
inside "$user" 'apt-get purge -y libc6-dev; apt-get autoremove -y --purge; apt-get clean' >apt.log 2>&1
inside "$user" 'find / -xdev -path /proc -prune -o -path /root -prune -o -print | sort' >after.txt
comm -13 before.txt after.txt | grep -vE '^/(var/(log|cache|lib/(apt|dpkg|systemd|pam))|etc/(ld.so.cache|passwd|group|shadow|gshadow|subuid|subgid|alternatives)|usr/share/(info|mime))' >>left.txt
[ ! -s left.txt ] || show left.txt
[ ! -s left.txt ]; report "removed, they leave nothing" $?
end_debian "$user"
rm -f "$base"
