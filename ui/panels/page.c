/* The lesson page next to the run: its text, its question, how to answer. Called by screen.c. See
 * build.h, src/snapshot/page.h. Main thread only. */
#include <string.h>

#include "ui/panels/build.h"
#include "ui/scene/text.h"

/* --- rows ------------------------------------------------------------------------------------- */

static const struct look {
    ss_theme_role role;
    unsigned style;
} looks[SS_PG_NKIND] = {
    [SS_PG_TITLE] = {SS_C_TEXT, SS_BOLD},   [SS_PG_TEXT] = {SS_C_TEXT, 0},
    [SS_PG_ITEM] = {SS_C_TEXT, 0},          [SS_PG_CODE] = {SS_C_DIM, SS_FIGURE},
    [SS_PG_PART] = {SS_C_ACCENT, SS_BOLD},  [SS_PG_ANSWER] = {SS_C_TEXT, 0},
    [SS_PG_FIELD] = {SS_C_DIM, 0},          [SS_PG_COMMAND] = {SS_C_SERIES1, SS_FIGURE},
    [SS_PG_CHECK] = {SS_C_TEXT, SS_FIGURE}, [SS_PG_NOTE] = {SS_C_DIM, 0},
    [SS_PG_BAR] = {SS_C_TEXT, SS_FIGURE},   [SS_PG_SCALE] = {SS_C_DIM, SS_FIGURE},
};

/* The style of a mark. */
static struct look marked(struct look l, char mark)
{
    switch (mark) {
    case SS_MARK_EM:
        l.style |= SS_UNDERLINE;
        break;
    case SS_MARK_STRONG:
        l.style |= SS_BOLD;
        break;
    case SS_MARK_CODE:
        l.role = SS_C_SERIES1;
        l.style |= SS_FIGURE;
        break;
    default:
        break;
    }
    return l;
}

static const struct sign {
    const char *text;
    ss_theme_role role;
} signs[SS_NSIGN] = {[SS_SIGN_NONE] = {"", SS_C_DIM},     [SS_SIGN_CHOSEN] = {"▸", SS_C_ACCENT},
                     [SS_SIGN_MET] = {"✓", SS_C_SERIES2}, [SS_SIGN_UNMET] = {"✗", SS_C_ERROR},
                     [SS_SIGN_OPEN] = {"○", SS_C_DIM},    [SS_SIGN_PENDING] = {"…", SS_C_DIM}};

/* True with a proportional font, whose letters are narrower than columns. */
static bool is_proportional(const ss_build *b)
{
    return b->extent.head > 1;
}

static void draw_sign(const ss_build *b, int x, int y, const struct sign *sign)
{
    if (ss_scene_text(b->s, x, y, 1, sign->role, SS_BOLD, sign->text) && is_proportional(b))
        b->s->item[b->s->nitem - 1].rect.w = 2; /* in some fonts signs are wider than a column */
}

/* The text before the first row of a block: bullet, number, check box. */
static void lead(const ss_build *b, const ss_page_block *block, int x, int y)
{
    if (block->kind == SS_PG_ITEM && block->sign == SS_SIGN_NONE)
        ss_scene_text(b->s, x, y, 1, SS_C_DIM, 0, "•");
    if (block->kind == SS_PG_COMMAND)
        ss_scene_text(b->s, x, y, 1, SS_C_FAINT, 0, ">");
    if (block->kind == SS_PG_ANSWER)
        ss_scene_text(b->s, x + 2, y, 1, block->command ? SS_C_ACCENT : SS_C_DIM,
                      SS_BOLD | SS_FIGURE, ss_text("%d", block->number));
    draw_sign(b, x, y, &signs[block->sign]);
}

/* Text of one style; blanks at its ends are whole columns, so that their width is the same in any
 * font. */
static int styled_text(const ss_build *b, struct look look, int x, int y, const char *text, int n)
{
    int blanks = 0, tail = 0;
    for (; n > 0 && *text == ' '; text++, n--)
        blanks++;
    for (; n > 0 && text[n - 1] == ' '; n--)
        tail++;
    const char *part = ss_text("%.*s", n, text);
    int w = ss_text_width(part);
    w = is_proportional(b) && w > 1 ? w * 3 / 4 : w;   /* mean width of letters: 3/4 column */
    unsigned size = is_proportional(b) ? SS_LARGE : 0; /* it is read, the rest is looked at */
    ss_scene_text(b->s, x + blanks, y, w, look.role, look.style | size | SS_FLOW, part);
    return blanks + w + tail;
}

static void row_text(const ss_build *b, const ss_page_row *row, struct look look, int x, int y)
{
    char mark = row->style;
    for (int at = 0; at < row->length;) {
        int n = 0;
        while (at + n < row->length &&
               (row->text[at + n] < SS_MARK_EM || row->text[at + n] > SS_MARK_VERBATIM))
            n++;
        x += n > 0 ? styled_text(b, marked(look, mark), x, y, row->text + at, n) : 0;
        at += n;
        if (at < row->length)
            mark = row->text[at++];
    }
}

static bool is_pointed_at(const ss_build *b, ss_rect r)
{
    return b->ui->overlay == SS_K_MAIN && ss_rect_has(r, b->ui->mouse_x, b->ui->mouse_y);
}

/* The name of the key that sends the command. */
static const char *key_of(const char *command)
{
    static const ss_key_context contexts[] = {SS_K_PAGE, SS_K_ANSWER, SS_K_ENTRY};
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
        for (const ss_key *k = ss_keys; k->key; k++)
            if (k->context == contexts[i] && strcmp(k->command, command) == 0)
                return ss_key_text(k->key);
    return "";
}

/* A button: its key and its label. Returns its columns; 0: there is no room. */
static int button(const ss_build *b, int x, int y, int room, const char *label, const char *command)
{
    const char *key = key_of(command);
    int k = ss_text_width(key), w = k + 1 + ss_text_width(label) + 2;
    ss_rect r = {x, y, w, 1};
    if (w > room)
        return 0;
    ss_scene_add(b->s, SS_I_FILL, r, SS_C_SHADE); /* values.c: its label is brighter */
    ss_scene_text(b->s, x + 1, y, k, SS_C_ACCENT, SS_BOLD | SS_FIGURE, key);
    ss_scene_text(b->s, x + 2 + k, y, w - k - 2, SS_C_TEXT, 0, label);
    ss_scene_hit(b->s, SS_H_COMMAND, r, command, 0);
    return w;
}

/* Where the answer is typed, with a caret, and the button that locks it. */
static void field_row(const ss_build *b, const ss_page_block *block, ss_rect r)
{
    enum { FIELD = 16 };
    const ss_ui *ui = b->ui;
    ss_rect field = {r.x + 2, r.y, FIELD, 1};
    bool number = ui->page->asks == SS_ASKS_NUMBER, typed = number && ui->answering;
    if (number) {
        ss_scene_add(b->s, SS_I_FILL, field, SS_C_SHADE);
        ss_scene_hit(b->s, SS_H_COMMAND, field, "lesson answer", 0);
    }
    ss_scene_text(b->s, field.x + 1, r.y, FIELD - 2, typed ? SS_C_ACCENT : SS_C_DIM,
                  typed ? SS_BOLD | SS_FIGURE : 0, typed ? ss_text("%s▏", ui->entry) : block->text);
    button(b, field.x + FIELD + 2, r.y, r.w - FIELD - 4, "lock", block->command);
}

/* --- histograms ------------------------------------------------------------------------------- */

/* Columns: the marks, the labels, a blank, the bars, a blank, the counts. */
enum { MARKS = 4, COUNT = 4 };

typedef struct bars {
    int label, x, room; /* columns of labels; where the bars begin; the longest */
} bars;

static bars place_bars(const ss_page *p, ss_rect r)
{
    bars at = {0, 0, 0};
    for (const ss_page_block *k = p->block; k < p->block + p->nblock; k++)
        if (k->kind == SS_PG_BAR || k->kind == SS_PG_SCALE)
            at.label = ss_text_width(k->text) > at.label ? ss_text_width(k->text) : at.label;
    at.x = r.x + MARKS + at.label + 1;
    at.room = r.x + r.w - COUNT - 1 - at.x;
    return at;
}

/* Whole columns per answer where there is room: then lengths are exact. */
static int columns(int count, int most, int room)
{
    if (count == 0 || room < 1)
        return 0;
    int n = most <= room ? room / most * count : (room * count + most / 2) / most;
    return n > 0 ? n : 1;
}

/* In cells as characters, which need no colours. */
static void blocks(const ss_build *b, int x, int y, int n, ss_theme_role role)
{
    if (!is_proportional(b))
        ss_scene_text(b->s, x, y, n, role, SS_FIGURE, ss_build_blocks(n));
    else if (n > 0)
        ss_scene_add(b->s, SS_I_FILL, (ss_rect){x, y, n, 1}, role);
}

static void bar_row(const ss_build *b, const ss_page_block *block, ss_rect r)
{
    const ss_page_bar *bar = &block->bar;
    bars at = place_bars(b->ui->page, r);
    int n = columns(bar->count, bar->most, at.room);
    if (bar->own)
        draw_sign(b, r.x, r.y, &signs[SS_SIGN_CHOSEN]);
    if (bar->truth)
        draw_sign(b, r.x + 2, r.y, &signs[SS_SIGN_MET]);
    ss_scene_text(b->s, r.x + MARKS, r.y, at.label, SS_C_TEXT, SS_FIGURE, block->text);
    blocks(b, at.x, r.y, n, bar->truth ? SS_C_SERIES2 : SS_C_SERIES1);
    ss_scene_text(b->s, at.x + n + (n > 0), r.y, COUNT, SS_C_TEXT, SS_FIGURE,
                  ss_text("%d", bar->count));
}

/* Below the bars: 0, and the longest one. */
static void scale_row(const ss_build *b, const ss_page_block *block, ss_rect r)
{
    const char *most = ss_text("%d", block->bar.most);
    bars at = place_bars(b->ui->page, r);
    int end = at.x + columns(block->bar.most, block->bar.most, at.room);
    ss_scene_text(b->s, r.x + MARKS, r.y, at.label, SS_C_DIM, 0, block->text);
    ss_scene_text(b->s, at.x, r.y, 1, SS_C_DIM, SS_FIGURE, "0");
    if (end - at.x > ss_text_width(most) + 1)
        ss_scene_text_right(b->s, end, r.y, ss_text_width(most), SS_C_DIM, SS_FIGURE, most);
}

static void draw_row(const ss_build *b, const ss_page_row *row, ss_rect r)
{
    if (row->block < 0)
        return;
    const ss_page_block *block = &b->ui->page->block[row->block];
    if (block->kind == SS_PG_FIELD) {
        field_row(b, block, r);
        return;
    }
    if (block->kind == SS_PG_BAR || block->kind == SS_PG_SCALE) {
        if (row->first)
            (block->kind == SS_PG_BAR ? bar_row : scale_row)(b, block, r);
        return;
    }
    struct look look = looks[block->kind];
    if (block->command && is_pointed_at(b, r)) {
        ss_scene_add(b->s, SS_I_FILL, r, SS_C_SHADE);
        look.role = SS_C_TEXT; /* other colours have too little contrast on it */
    }
    if (block->sign == SS_SIGN_CHOSEN)
        look.style |= SS_BOLD;
    if (row->first)
        lead(b, block, r.x, r.y);
    row_text(b, row, look, r.x + row->indent, r.y);
    if (block->command)
        ss_scene_hit(b->s, SS_H_COMMAND, r, block->command, 0);
}

/* --- scrolling -------------------------------------------------------------------------------- */

/* The first row of a block, or the row after the last block. */
static int row_of(const ss_page_row *rows, int n, int block)
{
    int i = 0;
    while (i < n && rows[i].block < block)
        i++;
    return i;
}

/* Scrolls as little as possible until the block is visible, at least its beginning. */
static void scroll_to_focus(ss_ui *ui, const ss_page_row *rows, int n, int room)
{
    const ss_page *p = ui->page;
    int from = row_of(rows, n, p->from), to = row_of(rows, n, p->to);
    if (ui->page_turn == p->turn)
        return;
    ui->page_turn = p->turn;
    if (from == 0 || p->from == 0)
        ui->page_scroll = 0;
    else if (to - from > room || from < ui->page_scroll)
        ui->page_scroll = from;
    else if (to > ui->page_scroll + room)
        ui->page_scroll = to - room;
}

/* A number is being typed: its field must be visible. */
static void scroll_to_field(ss_ui *ui, const ss_page_row *rows, int n, int room)
{
    int i = 0;
    while (i < n && (rows[i].block < 0 || ui->page->block[rows[i].block].kind != SS_PG_FIELD))
        i++;
    if (ui->page_shows_field && i < n && (i < ui->page_scroll || i >= ui->page_scroll + room))
        ui->page_scroll = i - room + 1;
    ui->page_shows_field = false;
}

/* On the lower edge: the number of hidden lines below. */
static void scroll_hint(const ss_build *b, ss_rect r, int n, int room)
{
    static const char down[] = "lesson scroll 8", up[] = "lesson scroll -8";
    int below = n - b->ui->page_scroll - room;
    if (n <= room)
        return;
    ss_build_foot(b, r, r.x + 2,
                  below > 0 ? ss_text("%s scrolls: %d more %s", key_of(down), below,
                                      below == 1 ? "line" : "lines")
                            : ss_text("%s scrolls up", key_of(up)));
    ss_scene_hit(b->s, SS_H_COMMAND, (ss_rect){r.x + r.w / 2, r.y + r.h - 1, r.w - r.w / 2, 1},
                 below > 0 ? down : up, 0);
}

static void strip(const ss_build *b, ss_rect r)
{
    static const char fold[] = "lesson fold";
    ss_scene_add(b->s, SS_I_FILL, r, SS_C_SHADE);
    ss_scene_text_right(b->s, r.x + r.w - 1, r.y, 14, SS_C_ACCENT, 0,
                        ss_text("%s: the lesson", key_of(fold)));
    ss_scene_text(b->s, r.x + 1, r.y, r.w - 18, SS_C_TEXT, 0, b->ui->page->strip);
    ss_scene_hit(b->s, SS_H_COMMAND, r, fold, 0);
}

/* The title, shortened where the step number needs the room. */
static void title(const ss_build *b, ss_rect r)
{
    const ss_page *p = b->ui->page;
    int most = r.w - 9 - ss_text_width(p->brief), n = (int)strlen(p->title);
    const char *text = p->title;
    while (ss_text_width(text) > most && n > 0) {
        for (n--; n > 0 && (p->title[n] & 0xc0) == 0x80;)
            n--;
        text = ss_text("%.*s", n, p->title);
    }
    if (text != p->title)
        text = ss_text("%s…", text);
    ss_build_frame(b, r, text);
    int from = r.x + 4 + ss_text_width(text), room = r.x + r.w - 2 - from;
    const char *corners[] = {p->corner, p->dots, p->brief};
    int i = 0;
    while (i < 2 && ss_text_width(corners[i]) + 2 > room)
        i++;
    ss_build_corner(b, r, from, corners[i]);
}

/* The actions of the page, at its lower end. True: there are any. */
static bool buttons(const ss_build *b, ss_rect r)
{
    const ss_page *p = b->ui->page;
    int x = r.x, w = 0;
    for (int i = 0; i<p->nbutton; i++, x += w> 0 ? w + 1 : 0)
        w = button(b, x, r.y, r.x + r.w - x, p->button[i].label, p->button[i].command);
    if (b->l->turns > 1)
        button(b, x, r.y, r.x + r.w - x, "panel", "lesson panel");
    return p->nbutton > 0 || b->l->turns > 1;
}

void ss_build_page(const ss_build *b)
{
    static ss_page_row rows[SS_PAGE_ROWS];
    ss_rect r = b->l->panel[SS_PANEL_PAGE];
    const ss_page *p = b->ui->page;
    if (!r.w || !p)
        return;
    if (ss_page_place_of(b->ui) == SS_PAGE_FOLDED) {
        strip(b, r);
        return;
    }
    title(b, r);
    ss_rect in = ss_layout_inside(b->l, r);
    if (b->l->side == 1)
        in.x++, in.w -= 2;
    ss_scene_hit(b->s, SS_H_PAGE, r, NULL, 0);
    in.h -= buttons(b, (ss_rect){in.x, in.y + in.h - 1, in.w, 1}) ? in.h > 20 ? 2 : 1 : 0;
    int n = ss_page_rows(p, in.w, is_proportional(b), rows, SS_PAGE_ROWS);
    scroll_to_focus(b->ui, rows, n, in.h);
    scroll_to_field(b->ui, rows, n, in.h);
    b->ui->page_scroll = ss_clamp(b->ui->page_scroll, 0, n > in.h ? n - in.h : 0);
    for (int i = 0; i < in.h && b->ui->page_scroll + i < n; i++)
        draw_row(b, &rows[b->ui->page_scroll + i], (ss_rect){in.x, in.y + i, in.w, 1});
    scroll_hint(b, r, n, in.h);
}
