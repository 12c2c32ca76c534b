#!/bin/sh
# The Makefile where tools are here and do not work, and where names have blanks.  A compiler and an
# nvcc that only make empty files stand in for the real ones: the sources are not compiled.
set -u
cd "$(dirname "$0")/../.." || exit 2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS CUDA_WORKS CUDA_ARCH WITH_CUDA NVCC CC

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
tool nvcc 'case $1 in --dryrun) exit;; --list-gpu-arch) printf "compute_%s\n" 75 90; exit;; esac'
tool nvcc-refuses 'case $1 in --dryrun) exit;; esac
echo "error: unsupported GNU version!" >&2; exit 1'

made() { # words of make: into $dir/out, in a build folder of its own
    rm -rf "$dir/b"
    make -j2 B="$dir/b" "$@" >"$dir/out" 2>&1
}

has() { grep -qF "$1" "$dir/out" || printf 'no "%s" in:\n%s\n' "$1" "$(tail -n 5 "$dir/out")"; }
lacks() { ! grep -qF "$1" "$dir/out" || echo "there is \"$1\""; }

# --- what an optional feature needs and does not work -------------------------------------------
if assets/deps.sh have optional >/dev/null 2>&1; then
    made run CC="$dir/cc-ffmpeg" WITH_CUDA=0
    ran=$?
    verdict 'a feature that does not compile is left out, with a sentence' "$(
        [ $ran = 0 ] || tail -n 5 "$dir/out"
        has 'FFMPEG does not compile here and is left out'
        has 'error: no such type'
        ls "$dir/b/obj/ui/encode/stream.o" 2>/dev/null
    )"
    made build CC="$dir/cc-ffmpeg" WITH_CUDA=0
    ran=$?
    verdict 'make build, which the tests use, fails there' "$([ $ran != 0 ] || echo 'it does not')"
else
    echo 'skip a feature that does not compile: optional packages are missing here'
fi

made config CC="$dir/cc" NVCC="$dir/nvcc-refuses"
verdict 'an nvcc that refuses the compiler is left out, with a sentence' "$(
    has 'CUDA is left out' && has 'WITH_CUDA=0' && has 'unsupported GNU version!'
)"

# --- what nvidia-smi says ------------------------------------------------------------------------
smi() { # status, words: the flags of nvcc with them
    printf '#!/bin/sh\ncat <<EOF\n%s\nEOF\nexit %s\n' "$2" "$1" >"$dir/nvidia-smi"
    chmod +x "$dir/nvidia-smi"
    PATH="$dir:$PATH" made CC="$dir/cc" NVCC="$dir/nvcc" "$dir/b/nvcc.stamp"
    grep -o 'compute_[^,]*,code=[^ ]*' "$dir/b/nvcc.stamp" | tr '\n' ' '
}
otherwise='compute_90,code=sm_90 compute_75,code=compute_75 '
why=''
while IFS='|' read -r status words want; do
    got=$(smi "$status" "$(printf "$words")")
    [ "$got" = "$want" ] || why="$why$words: $got
"
done <<EOF
0|9.0|compute_90,code=sm_90 
0|7.5\n9.0\n9.0|compute_75,code=sm_75 compute_90,code=sm_90 
18|Failed to initialize NVML: Driver/library version mismatch|$otherwise
2|Field "compute_cap" is not a valid field to query.|$otherwise
0|No devices were found|$otherwise
0|[N/A]|$otherwise
0|6.1|$otherwise
0|12.0|$otherwise
EOF
verdict 'only GPUs that nvidia-smi names and nvcc knows are built for' "$why"

# --- installing ----------------------------------------------------------------------------------
mkdir "$dir/none"
program=build/release/stencilscope
make install DESTDIR="$dir/a b" PREFIX='/My Apps/1' NVCC="$dir/none/nvcc" >"$dir/out" 2>&1
ran=$?
to="$dir/a b/My Apps/1"
verdict 'make install installs what was built, stripped, below a folder with blanks' "$(
    [ $ran = 0 ] || tail -n 5 "$dir/out"
    [ "$("$to/bin/stencilscope" --version)" = "$("$program" --version)" ] || echo 'another program'
    [ "$(wc -c <"$to/bin/stencilscope")" -lt "$(wc -c <"$program")" ] || echo 'not stripped'
    [ -s "$to/share/man/man1/stencilscope.1" ] || echo 'no manual page'
    lacks '  CC '
    lacks '  NVCC '
)"
make uninstall DESTDIR="$dir/a b" PREFIX='/My Apps/1' >"$dir/out" 2>&1
verdict 'make uninstall removes it' "$(find "$dir/a b" -type f)"
