#!/bin/sh
# Prints C source that holds the given files, as src/base/text.h declares them: od and awk only, so that
# a bare machine can do it.  A NUL follows the data for whoever reads it as text.  NAME=FILE: the file is
# known by that name.
set -eu
echo '#include "src/base/text.h"'
echo '#include <stddef.h>'
i=0
for file in "$@"; do
    echo "static const unsigned char data_$i[] = {"
    od -An -v -tu1 "${file#*=}" | awk '{gsub(/ +/, ","); sub(/^,/, ""); print $0 ","}'
    echo "0};"
    i=$((i + 1))
done
echo 'const struct ss_embed ss_embed[] = {'
i=0
for file in "$@"; do
    echo "    {\"${file%%=*}\", data_$i, sizeof data_$i - 1},"
    i=$((i + 1))
done
echo '    {NULL, NULL, 0}};'
