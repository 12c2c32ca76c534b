#!/bin/sh
# The Makefile where tools are here and do not work, and where names have blanks.  A compiler that only
# makes empty files stands in for the real one: the sources are not compiled.
set -u
cd "$(dirname "$0")/../.." || exit 2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS CC

verdict() { # name, what is wrong
    if [ -z "$2" ]; then
        echo "ok $1"
    else
        printf 'not ok %s\n%s\n' "$1" "$2"
    fi
}

tool() { # name, lines before the files are made: a program of that name in $dir
    cat >"$dir/$1" <<EOF
#!/bin/sh
$2
while [ \$# -gt 0 ]; do
    if [ "\$1" = -o ] && [ "\$2" != /dev/null ]; then : >"\$2"; chmod +x "\$2"; fi
    shift
done
EOF
    chmod +x "$dir/$1"
}
tool cc ''
tool cc-ffmpeg 'case "$*" in *" -c "*ui/encode/*) echo "x.c:1:2: error: no such type" >&2; exit 1;; esac'

made() { # words of make: into $dir/out, in a build folder of its own
    rm -rf "$dir/b"
    make -j2 B="$dir/b" "$@" >"$dir/out" 2>&1
}

has() { grep -qF "$1" "$dir/out" || printf 'no "%s" in:\n%s\n' "$1" "$(tail -n 5 "$dir/out")"; }
lacks() { ! grep -qF "$1" "$dir/out" || echo "there is \"$1\""; }

# --- what an optional feature needs and does not work -------------------------------------------
if assets/deps.sh have optional >/dev/null 2>&1; then
    made run CC="$dir/cc-ffmpeg"
    ran=$?
    verdict 'a feature that does not compile is left out, with a sentence' "$(
        [ $ran = 0 ] || tail -n 5 "$dir/out"
        has 'FFMPEG does not compile here and is left out'
        has 'error: no such type'
        ls "$dir/b/obj/ui/encode/stream.o" 2>/dev/null
    )"
    made build CC="$dir/cc-ffmpeg"
    ran=$?
    verdict 'make build, which the tests use, fails there' "$([ $ran != 0 ] || echo 'it does not')"
else
    echo 'skip a feature that does not compile: optional packages are missing here'
fi

# --- installing ----------------------------------------------------------------------------------
program=build/release/stencilscope
make install DESTDIR="$dir/a b" PREFIX='/My Apps/1' >"$dir/out" 2>&1
ran=$?
to="$dir/a b/My Apps/1"
verdict 'make install installs what was built, stripped, below a folder with blanks' "$(
    [ $ran = 0 ] || tail -n 5 "$dir/out"
    [ "$("$to/bin/stencilscope" --version)" = "$("$program" --version)" ] || echo 'another program'
    [ "$(wc -c <"$to/bin/stencilscope")" -lt "$(wc -c <"$program")" ] || echo 'not stripped'
    [ -s "$to/share/man/man1/stencilscope.1" ] || echo 'no manual page'
    lacks '  CC '
)"
make uninstall DESTDIR="$dir/a b" PREFIX='/My Apps/1' >"$dir/out" 2>&1
verdict 'make uninstall removes it' "$(find "$dir/a b" -type f)"
