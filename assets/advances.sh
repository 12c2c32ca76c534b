#!/bin/sh
# The widths of characters in the fonts of the window, for texts that are laid out where there is no
# font: `make advances` writes ui/pen/advances.h.
#
#   advances.sh >ui/pen/advances.h
#
# The characters are ASCII and all others that the sources, lessons and data contain. The fonts are
# found with fc-match and read here: their tables cmap, hhea and hmtx. od and awk only.
set -eu
cd "$(dirname "$0")/.."

# file FAMILY WEIGHT: where the font is
file() {
    found=$(fc-match -f '%{family[0]}\t%{file}\n' "$1:weight=$2:slant=0:width=100")
    case $found in
    "$1	"*) echo "${found#*	}" ;;
    *) echo "advances.sh: the font $1 is missing: install fonts-inter and fonts-jetbrains-mono" >&2; exit 1 ;;
    esac
}

# Code points, one per line, in order
characters() {
    { find src ui lessons assets/data -type f \( -name '*.[ch]' -o -name '*.md' -o -name '*.txt' \) \
        ! -name advances.h -exec cat {} +; printf '\342\200\246'; } | od -An -v -tu1 -w1 | awk '
        BEGIN { for (i = 32; i < 127; i++) print i }
        $1 >= 240 { left = 3; code = $1 - 240; next }
        $1 >= 224 { left = 2; code = $1 - 224; next }
        $1 >= 192 { left = 1; code = $1 - 192; next }
        $1 >= 128 { code = code * 64 + $1 - 128; if (--left == 0 && !seen[code]++) print code }' |
        sort -n
}

# advances FILE: "code advance" in 1/10000 em for each line of code points; 0: not in the font
advances() {
    { echo characters; cat "$codes"; echo font; od -An -v -tu1 -w1 "$1"; } | awk '
        $1 == "characters" || $1 == "font" { part = $1; next }
        part == "characters" { wanted[++n] = $1; next }
        { byte[size++] = $1 }
        function u16(at) { return byte[at] * 256 + byte[at + 1] }
        function u32(at) { return u16(at) * 65536 + u16(at + 2) }
        function tag(at) { return sprintf("%c%c%c%c", byte[at], byte[at + 1], byte[at + 2], byte[at + 3]) }
        # Format 12 of cmap: groups of consecutive characters and glyphs.
        function glyph12(code,    i, at) {
            for (i = 0; i < u32(map + 12); i++) {
                at = map + 16 + 12 * i
                if (code >= u32(at) && code <= u32(at + 4)) return u32(at + 8) + code - u32(at)
            }
            return 0
        }
        # Format 4: segments, with a shift or a list of glyphs.
        function glyph4(code,    i, count, first, from, at) {
            count = u16(map + 6) / 2
            for (i = 0; i < count; i++) {
                if (code > u16(map + 14 + 2 * i)) continue
                first = u16(map + 16 + 2 * count + 2 * i)
                if (code < first) return 0
                at = map + 16 + 6 * count + 2 * i
                from = u16(map + 16 + 4 * count + 2 * i)
                if (!u16(at)) return (code + from) % 65536
                from = u16(at + u16(at) + 2 * (code - first)) ? from : 0
                return (u16(at + u16(at) + 2 * (code - first)) + from) % 65536
            }
            return 0
        }
        END {
            for (i = 0; i < u16(4); i++) table[tag(12 + 16 * i)] = u32(12 + 16 * i + 8)
            em = u16(table["head"] + 18)
            metrics = u16(table["hhea"] + 34)
            for (i = 0; i < u16(table["cmap"] + 2); i++) {
                at = table["cmap"] + u32(table["cmap"] + 4 + 8 * i + 4)
                if (u16(at) == 12 || (u16(at) == 4 && !map)) { map = at; format = u16(at) }
            }
            for (i = 1; i <= n; i++) {
                glyph = format == 12 ? glyph12(wanted[i]) : glyph4(wanted[i])
                last = glyph < metrics ? glyph : metrics - 1
                print wanted[i], glyph ? int(u16(table["hmtx"] + 4 * last) / em * 10000 + 0.5) : 0
            }
        }'
}

codes=$(mktemp) all=$(mktemp)
trap 'rm -f "$codes" "$all"' EXIT
characters >"$codes"
for font in 'Inter:80' 'Inter:180' 'JetBrains Mono:80' 'JetBrains Mono:180'; do
    path=$(file "${font%:*}" "${font#*:}")
    echo "font $path" >&2
    advances "$path" | sed 's/^/advance /'
done >"$all"
awk '
    BEGIN {
        print "/* Written by assets/advances.sh from the fonts Inter and JetBrains Mono: `make advances`. */"
        print "/* clang-format off */"
        print "static const struct advance {"
        print "    uint32_t code;   /* the character; the first 95 are ASCII from the blank on */"
        print "    uint16_t em[4];  /* in 1/10000 of the size: words, bold words, mono, bold mono; 0: none */"
        print "} advances[] = {"
    }
    { if (!($2 in row)) code[++n] = $2; row[$2] = row[$2] (row[$2] == "" ? "" : ", ") $3 }
    END { for (i = 1; i <= n; i++) printf "    {%d, {%s}},\n", code[i], row[code[i]]; print "};" }' "$all"
