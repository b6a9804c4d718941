# Packages.  What is in them is known without building them: debian/*.install against what is installed.
cd "$TEST_TMP/part-deb" || exit 3
# Every installed file is in one package, and no line of the lists is empty-handed.
(cd "$stage" && find . ! -type d | sed 's,^\./,,') | sort >installed.txt
for list in "$root"/debian/*.install; do
	while read -r path; do
		grep -qE "^$path(/|$)" installed.txt || echo "$(basename "$list"): $path is not installed"
		grep -E "^$path(/|$)" installed.txt >>packed.txt
	done <"$list"
done >wrong.txt
sort packed.txt | uniq -d | sed 's/$/ is in two packages/' >>wrong.txt
sort -u packed.txt | comm -23 installed.txt - | sed 's/$/ is in no package/' >>wrong.txt
[ ! -s wrong.txt ] || show wrong.txt
[ ! -s wrong.txt ]; report "packages have every installed file once" $?
[ "$(sed -n '1s/^heddle (\([0-9.]*\)).*/\1/p' "$root/debian/changelog")" = "$("$heddle" --version | sed -n 's/^heddle //p')" ]
report "the changelog has this version" $?
for program in "$prefix"/bin/*; do
	page=$(basename "$program").1
	[ -e "$prefix/share/man/man1/$page" ] || grep -q "/$page\$" "$root/debian/heddle.links" || echo "$page"
done >wrong.txt
[ ! -s wrong.txt ]; report "every program has a man page" $?
for shell in share/bash-completion/completions/heddle share/zsh/vendor-completions/_heddle share/fish/vendor_completions.d/heddle.fish; do
	[ -s "$prefix/$shell" ] || echo "$shell"
done >wrong.txt
[ ! -s wrong.txt ]; report "completion is installed" $?

archive=$("$root/tools/package" dist "$PWD/dist") && tar tzf "$archive" >list.txt
[ $? -eq 0 ] && grep -q '/CMakeLists.txt$' list.txt && ! grep -qE '/(build|\.git)/' list.txt; report "a source archive is made" $?
mkdir -p source && tar xzf "$archive" -C source && cmake -S source/heddle-* -B source/b -G Ninja -DBUILD_TESTING=OFF >cmake.log 2>&1
status=$?; [ $status -eq 0 ] || show cmake.log
report "it is configured" $status
if [ -n "${TEST_LONG-}" ]; then
	ninja -C source/b >ninja.log 2>&1; report "it builds" $?
else
	skip "it builds" "long form"
fi

if [ -z "${TEST_LONG-}" ] || ! [ -d /usr/share/debhelper ]; then
	skip "Debian packages" "long form, with debhelper"
	return 0
fi
mkdir -p out && "$root/tools/package" deb "$PWD/out" >deb.txt 2>&1; status=$?
[ $status -eq 0 ] || show deb.txt
report "Debian packages are built" $status
if command -v lintian >/dev/null; then
	lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs out/deb/*.changes >lintian.txt 2>&1
	status=$?; [ $status -eq 0 ] || show lintian.txt
	report "lintian has nothing to say" $status
else
	skip "lintian has nothing to say" "no lintian"
fi
if [ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null; then
	. "$TEST_HERE/chroot.sh"
else
	skip "a minimal Debian" "needs root and debootstrap"
fi
