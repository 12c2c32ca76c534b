#!/bin/sh
# Packs a program and the shared libraries it needs for machines where nothing can be installed.
#
#   bundle.sh PROGRAM LINK FOLDER TARBALL
#
# PROGRAM looks for its libraries in $ORIGIN/../lib. Those that it loads by itself are the ones that
# the command LINK links.
#
# The C library stays behind: it belongs with the kernel and the loader of the machine it runs on, so
# that machine's must be at least as new as this one's.
set -eu
program=$1 link=$2 folder=$3 tarball=$4
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib" "$folder/libexec" "$folder/share/terminfo"
cp "$program" "$folder/libexec/stencilscope"
cp README.md LICENSE "$folder"

loads=$(mktemp)
trap 'rm -f "$loads"' EXIT
echo 'int main(void) { return 0; }' | $link -Wl,--no-as-needed -xc - -o "$loads"
{ ldd "$program" && ldd "$loads"; } | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    grep -vE '/(libc|libm|libdl|librt|libpthread|libutil|libresolv|ld-linux[^/]*)\.so' |
    while read -r library; do cp -L "$library" "$folder/lib"; done

# The terminal library looks where its own machine keeps descriptions; carry the common ones.
for term in xterm xterm-256color xterm-direct screen screen-256color tmux tmux-256color linux vt100; do
    if infocmp -x "$term" >/dev/null 2>&1; then
        infocmp -x "$term" | tic -x -o "$folder/share/terminfo" - 2>/dev/null
    fi
done

# Compiled kernels of the presets, the lessons and every solver's defaults: machine code for the GPUs that
# NVRTC knows here, and PTX, which a driver compiles for newer ones. Two programs share a folder.
cache=$(cd "$folder" && pwd)/kernels
mkdir "$cache"
echo ${BUNDLE_ARCH:-75 80 86 89 90 100 120 90-ptx} | tr ' ' '\n' | XDG_CACHE_HOME=$cache \
    xargs -P "$(getconf _NPROCESSORS_ONLN)" -I {} "$program" kernels fill {} >"$cache/log" 2>&1 || :
XDG_CACHE_HOME=$cache "$program" kernels | tail -n 1
if [ -d "$cache/stencilscope/kernels" ]; then
    mv "$cache/stencilscope/kernels" "$folder/share/kernels"
    chmod -R go+rX,go-w "$folder/share/kernels"
else
    grep -v '^not prepared' "$cache/log" | head -n 1
fi
rm -rf "$cache"

# With BUNDLE_NVRTC=/usr/local/cuda/lib64 the compiler of that folder too (110 MB, and its licence): for
# one's own machines, since nothing that we publish has it.
if [ -n "${BUNDLE_NVRTC:-}" ]; then
    cp -L "$BUNDLE_NVRTC"/libnvrtc.so.1[23] "$BUNDLE_NVRTC"/libnvrtc-builtins.so.1[23].[0-9]* "$folder/lib"
    licence=$(find -L "$BUNDLE_NVRTC/.." -type f -name EULA.txt -o -type f -ipath '*nvrtc*licen*' | head -n 1)
    [ -z "$licence" ] || cp "$licence" "$folder/NVRTC-LICENSE"
    [ -n "$licence" ] || echo "NVRTC's licence is not beside $BUNDLE_NVRTC: add it to $folder"
fi

cat >"$folder/bin/stencilscope" <<'WRAPPER'
#!/bin/sh
# The machine's own terminal descriptions first (the empty entry), then those in the bundle.
top=$(dirname "$(readlink -f "$0")")/..
STENCILSCOPE_CACHE=${STENCILSCOPE_CACHE:-$(readlink -f "$top")/share/kernels} \
    TERMINFO_DIRS=${TERMINFO_DIRS:-}:$top/share/terminfo exec "$top/libexec/stencilscope" "$@"
WRAPPER
chmod +x "$folder/bin/stencilscope"

tar -C "$(dirname "$folder")" -czf "$tarball" "$(basename "$folder")"
echo "$tarball"
