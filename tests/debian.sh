#!/bin/sh
# README's two commands on another Debian: a fresh chroot with git, make and a C compiler, a clean clone
# of the last commit, `make run`, `make test`, and the slow tests without sanitizers.  Needs root and debootstrap; some
# 3 GB under build/debian, where the logs stay.
#
#   tests/debian.sh SUITE       bookworm, trixie, sid, ...
set -u
cd "$(dirname "$0")/.." || exit 2
suite=${1:?usage: tests/debian.sh SUITE}
dir=build/debian
root=$PWD/$dir/$suite
log=$dir/$suite.log
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "skip $suite needs root and debootstrap"
    exit 0
fi

# A mount namespace of its own: nothing stays mounted, however this ends.
if [ "${2:-}" != inside ]; then
    mkdir -p "$dir"
    exec unshare --mount --propagation private sh "$0" "$suite" inside
fi

base=$dir/$suite.tar
if [ ! -e "$base" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase --include=git,make,gcc,ca-certificates "$suite" "$root" >"$log" 2>&1 ||
        { tail -n 5 "$log"; exit 1; }
    tar cf "$base.new" -C "$root" . && mv "$base.new" "$base"
fi
rm -rf "$root"
mkdir -p "$root"
tar xf "$base" -C "$root"
echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/old-mirrors"
cp /etc/resolv.conf /etc/hosts "$root/etc/" # without its own name mpiexec waits 10 s for an answer
git clone -q "$PWD" "$root/stencilscope" || exit 1
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
for folder in /dev /dev/pts /dev/shm /sys; do mount --bind $folder "$root$folder"; done

# step NAME COMMAND: its seconds and its last line
step() {
    began=$(date +%s)
    chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=xterm \
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        sh -c "cd /stencilscope && $2" >>"$log" 2>&1 </dev/null
    code=$?
    printf '%s: %-8s %4d s  status %d  %s\n' "$suite" "$1" $(($(date +%s) - began)) $code "$(tail -n 1 "$log")"
    [ $code = 0 ] || status=1
}
status=0
: >"$log"
step packages 'YES=1 assets/deps.sh install required optional test'
step run 'make run ARGS="poisson2d shared --n 128 --k 8 --ui none"'
step test 'make test'
step rest 'make test-rest REST="slow gpu web"'
grep -E '^not ok |:[0-9]+: warning:' "$log" | sort | uniq -c
exit $status
