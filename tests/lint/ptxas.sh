#!/bin/sh
# What the assembler said of every kernel when it was built: none may have local memory, which
# registers that are spilled and arrays that are indexed end up in, but those named here. Looked at
# for the GPU that the kernels were measured on; others have other numbers of registers.
set -u
cd "$(dirname "$0")/../.." || exit 2
said=$(grep -l sm_90 build/release/obj/kernels/cuda/*.ptxas 2>/dev/null)

if [ -z "$said" ]; then
    echo 'skip no kernel has local memory: none was built for sm_90'
    exit 0
fi

# A kernel's mangled name, and the most bytes of it. All of them are smoothers that lack a few
# registers; with fewer threads, so that none is lacking, cubes were measured to be slower.
known='
relax_cubes.*fLi16ELi16E    152
relax_cubes.*dLi8ELi[248]E  48
relax_panel.*Li4ELi2ELi4E   8'

# shellcheck disable=SC2086 # a word a file
offenders=$(awk -v known="$known" '
    BEGIN { count = split(known, row, /[ \n]+/) }
    function most(name,   i) {
        for (i = 2; i < count; i += 2)
            if (name ~ row[i]) return row[i + 1]
        return 0
    }
    /Compiling entry function/ { split($0, part, "\047"); name = part[2]; measured = /sm_90/ }
    measured && /bytes stack frame/ && $1 > most(name) { print name ": " $0 }' $said)

if [ -z "$offenders" ]; then
    echo 'ok no kernel has local memory'
else
    echo 'not ok no kernel has local memory'
    echo "$offenders" | sed 's/^/  /'
    exit 1
fi
