/* Texts that are too wide: see pen.h. */
#include "ui/pen/pen.h"

#include <stdio.h>
#include <string.h>

static bool is_inside_character(char c)
{
    return (c & 0xc0) == 0x80;
}

const char *ss_pen_cut(ss_pen *pen, const ss_font *font, double room, const char *text,
                       char buf[SS_PEN_TEXT])
{
    size_t n = strlen(text);
    for (n = n < SS_PEN_TEXT - 4 ? n : SS_PEN_TEXT - 4; n > 0; n--) {
        if (is_inside_character(text[n]))
            continue;
        snprintf(buf, SS_PEN_TEXT, "%.*s\xe2\x80\xa6", (int)n, text);
        if (ss_pen_text_width(pen, font, buf) <= room + 0.5)
            return buf;
    }
    return "";
}
