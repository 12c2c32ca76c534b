#!/bin/sh
# Prints the files that CUDA kernels are made of: those of kernels/cuda that only NVRTC compiles, and all
# that they include.
set -eu
cd "$(dirname "$0")/.."
{ find kernels/cuda -name '*.cuh'; echo kernels/cuda/device/c_headers.h; } | sort | awk '
    function add(name) { if (!(name in seen)) { seen[name] = 1; file[++count] = name } }
    { add($0) }
    END {
        for (i = 1; i <= count; i++)
            while ((getline line < file[i]) > 0)
                if (match(line, /^ *# *include "[^"]*"/)) {
                    sub(/^[^"]*"/, "", line)
                    sub(/".*/, "", line)
                    add(line)
                }
        for (i = 1; i <= count; i++) print file[i]
    }'
