/* The presets that the picker offers, read from assets/data/presets.txt in the program. ss_ui_new
 * calls it once. See state.h. Main thread only. */
#include <stdio.h>
#include <string.h>

#include "src/base/embed.h"
#include "ui/view/state.h"

static const char *copy_field(const char *p, const char *end, char *out, size_t size)
{
    const char *bar = memchr(p, '|', (size_t)(end - p));
    const char *stop = bar ? bar : end;
    while (p < stop && *p == ' ')
        p++;
    const char *last = stop;
    while (last > p && last[-1] == ' ')
        last--;
    snprintf(out, size, "%.*s", (int)(last - p), p);
    return bar ? bar + 1 : end;
}

/* name | title | what it shows | command; command */
static void parse_presets(ss_ui *ui, const char *text)
{
    while (*text && ui->npreset < SS_PRESET_MAX) {
        const char *end = strchr(text, '\n');
        end = end ? end : text + strlen(text);
        if (*text != '#' && memchr(text, '|', (size_t)(end - text))) {
            ss_preset *p = &ui->preset[ui->npreset++];
            const char *at = copy_field(text, end, p->name, sizeof p->name);
            at = copy_field(at, end, p->title, sizeof p->title);
            at = copy_field(at, end, p->help, sizeof p->help);
            copy_field(at, end, p->commands, sizeof p->commands);
        }
        text = *end ? end + 1 : end;
    }
}

void ss_presets_load(ss_ui *ui)
{
    ui->npreset = 0;
    for (const struct ss_embed *e = ss_embed; e->name; e++)
        if (strcmp(e->name, "assets/data/presets.txt") == 0)
            parse_presets(ui, (const char *)e->data);
}
