#!/bin/bash
# Fetches and unpacks Debian packages: fetch.sh DIRECTORY PACKAGE...
#
# A name stands for a source package, unpacked in DIRECTORY/NAME; "lib:NAME" for a binary package
# the sources need, unpacked in DIRECTORY/root.  The machine's own package sources are asked for
# sources instead of binaries, through a private configuration under DIRECTORY: nothing of the
# system is changed, and no right to do so is needed.  Exit status 77 when nothing can be fetched.
set -eu
dir=$(mkdir -p "$1" && cd "$1" && pwd)
shift

give_up() { echo "fetch: $1" >&2; exit 77; }
for tool in apt-get dpkg-source dpkg; do
	command -v $tool >/dev/null || give_up "$tool is missing"
done
. /etc/os-release

# One-line entries and deb822 stanzas of this distribution's release, for packages and sources.
write_sources()
{
	local list=$dir/apt/parts/own.list sources=$dir/apt/parts/own.sources file
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
		sed -n -E "s/^deb( +\[[^]]*\])? +([^ ]+) +(${VERSION_CODENAME}[^ ]*) +(.*)/deb\1 \2 \3 \4\ndeb-src\1 \2 \3 \4/p" \
			>"$list" || true
	for file in /etc/apt/sources.list.d/*.sources; do
		[ -e "$file" ] || continue
		awk -v RS= -v name="$VERSION_CODENAME" '$0 ~ "Suites:[^\n]*" name {
			gsub(/(^|\n)#[^\n]*/, ""); sub(/Types:[^\n]*/, "Types: deb deb-src")
			print $0 "\n" }' "$file"
	done >"$sources"
	[ -s "$list" ] || [ -s "$sources" ]
}

first_error() { grep -m1 '^E:' "$1" | sed 's|http[^ ]*/||'; }

mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/apt/parts" "$dir/root"
write_sources || give_up "no package sources of $VERSION_CODENAME are configured"
options=(-o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$dir/apt/parts"
	-o "Dir::State::lists=$dir/apt/lists" -o "Dir::Cache=$dir/apt/cache"
	-o "APT::Sandbox::User=$(id -un)" -o "Acquire::Retries=3" -o "Acquire::Languages=none")

if ! ls "$dir"/apt/lists/*_Sources* >/dev/null 2>&1; then
	apt-get "${options[@]}" -qq update >"$dir/apt/update.log" 2>&1 ||
		give_up "no package lists: $(first_error "$dir/apt/update.log")"
fi
for package; do
	name=${package#lib:}
	log=$dir/apt/$name.log
	[ -e "$dir/apt/have-$name" ] && continue
	rm -rf "$dir/get" && mkdir "$dir/get"
	if [ "$name" != "$package" ]; then
		(cd "$dir/get" && apt-get "${options[@]}" -qq download "$name") >"$log" 2>&1 ||
			give_up "cannot fetch $name: $(first_error "$log")"
		dpkg -x "$dir"/get/"${name}"_*.deb "$dir/root"
	else
		(cd "$dir/get" && apt-get "${options[@]}" -qq --download-only source "$name") \
			>"$log" 2>&1 || give_up "cannot fetch $name: $(first_error "$log")"
		rm -rf "${dir:?}/$name"
		dpkg-source --no-check -x "$dir"/get/"${name}"_*.dsc "$dir/$name" >"$log" 2>&1 ||
			give_up "cannot unpack $name"
	fi
	rm -rf "$dir/get"
	: >"$dir/apt/have-$name"
done
