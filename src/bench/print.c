/* The table and the JSON of a bench, from the columns of its kinds: see kit.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/json_out.h"
#include "src/base/text.h"
#include "src/bench/kit.h"
#include "src/core/registry.h"

/* --- head ------------------------------------------------------------------------------------- */

static void print_limits(const ss_bench *b, FILE *out)
{
    char value[32];
    for (int i = 0; i < b->nlimit; i++)
        fprintf(out, "  %-18s %12s  %s\n", b->limits[i].name,
                ss_format_si(ss_bench_median(b->limit[i], b->nsample), b->limits[i].unit, value,
                             sizeof value),
                b->limits[i].help);
}

/* Rows without a paper have only each other to compare with. */
static bool has_theirs(const ss_bench *b)
{
    return b->paper && b->paper->nnote > 0;
}

/* Was another size asked for than the paper's? */
static bool is_resized(const ss_bench *b)
{
    bool resized = false;
    for (int i = 0; i < b->nproblem && has_theirs(b); i++) {
        const ss_config *cfg = &b->groups[i].cfg;
        double n = (double)ss_config_int(cfg, ss_bench_size_name(cfg));
        resized = resized || (b->paper->n[i] > 0 && n != b->paper->n[i]);
    }
    return resized;
}

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

void ss_bench_print_head(const ss_bench *b, FILE *out)
{
    bool applies = false;
    fprintf(out, "%s: %s; medians of %d round%s\n\n", b->device, b->detail, b->rounds,
            plural(b->rounds));
    print_limits(b, out);
    fprintf(out, b->paper ? "\n" : "");
    for (int i = 0; b->paper && i < b->paper->nnote; i++)
        fprintf(out, "%s\n", b->paper->notes[i]);
    if (is_resized(b))
        fprintf(out,
                "ours: problems of another size than the paper's, whose times do not compare\n");
    ss_param_find(&b->base, "kernel", &applies);
    if (!applies && has_theirs(b))
        fprintf(out, "ours: %s; kernels and launches of a GPU do not apply\n", b->device);
    fflush(out);
}

/* --- columns ---------------------------------------------------------------------------------- */

static void put_label(const ss_bench_at *at, char *buf, size_t size)
{
    snprintf(buf, size, "%s", at->row ? at->row->here : at->c->label);
}

static void put_source(const ss_bench_at *at, char *buf, size_t size)
{
    snprintf(buf, size, "%s", at->row->source);
}

static void put_problem(const ss_bench_at *at, char *buf, size_t size)
{
    snprintf(buf, size, "%s", at->b->paper->problems[at->problem]);
}

/* NaN: patches of several sizes. */
static double of_size(const ss_bench_at *at)
{
    const ss_config *cfg = &at->g->cfg;
    return ss_config_given(cfg, "sizes") ? (double)NAN
                                         : (double)ss_config_int(cfg, ss_bench_size_name(cfg));
}

static const ss_bench_figure named[] = {{"label", "", -46, .text = put_label}, {0}};
static const ss_bench_figure row_named[] = {{"label", "", -46, .text = put_label},
                                            {"source", "", -14, .text = put_source},
                                            {"problem", .text = put_problem},
                                            {"n", .format = "%.0f", .value = of_size},
                                            {0}};

static const ss_bench_kind *kind_of(const ss_bench_at *at)
{
    return at->row ? at->row->kind : at->c->kind;
}

/* The columns of a line before ours: its names, then theirs. */
static const ss_bench_figure *before(const ss_bench_at *at, bool theirs)
{
    static const ss_bench_figure none[] = {{0}};
    if (theirs)
        return kind_of(at)->theirs ? kind_of(at)->theirs : none;
    return at->row ? row_named : named;
}

static bool is_last(const ss_bench_figure *f)
{
    return !f->key && !f->heading;
}

static void put(const char *text, int width, FILE *out)
{
    int pad = abs(width) - ss_utf8_width(text);
    fprintf(out, " %*s%s%*s", width > 0 && pad > 0 ? pad : 0, "", text,
            width < 0 && pad > 0 ? -pad : 0, "");
}

static void figure_text(const ss_bench_figure *f, const ss_bench_at *at, char *buf, size_t size)
{
    double v = f->text ? 0 : ss_bench_value(f, at) * (f->scale > 0 ? f->scale : 1);
    *buf = '\0';
    if (f->text)
        f->text(at, buf, size);
    else if (isfinite(v) && !strchr(f->format, '%'))
        ss_format_si(v, f->format, buf, size);
    else if (isfinite(v))
        snprintf(buf, size, f->format, v);
    if (!*buf)
        snprintf(buf, size, "-");
}

static void put_figures(const ss_bench_figure *f, const ss_bench_at *at, FILE *out)
{
    char text[120];
    for (; !is_last(f); f++)
        if (f->heading) {
            figure_text(f, at, text, sizeof text);
            put(text, f->width, out);
        }
}

static int put_headings(const ss_bench_figure *f, FILE *out)
{
    int width = 0;
    for (; !is_last(f); f++)
        if (f->heading) {
            if (out)
                put(f->heading, f->width, out);
            width += 1 + abs(f->width);
        }
    return width;
}

static void put_ours(const ss_bench_at *at, FILE *out)
{
    char text[240];
    const ss_bench_figure *ours = kind_of(at)->ours;
    size_t width = (size_t)put_headings(ours, NULL), size = sizeof text;
    bool cut = at->b->nway > 1;
    if (!*at->c->skipped) {
        put_figures(ours, at, out);
        return;
    }
    snprintf(text, cut && width < size ? width : size, "skipped: %s", at->c->skipped);
    put(ss_utf8_trim(text), cut ? 1 - (int)width : 0, out);
}

/* --- the table -------------------------------------------------------------------------------- */

/* Line i of the table: a case of our own plan, or a row of a paper with its fastest case. */
static ss_bench_at line_of(ss_bench *b, int problem, int i, int way)
{
    ss_bench_at at = {.b = b, .problem = problem, .way = way};
    at.row = b->paper ? &b->paper->rows[i] : NULL;
    at.problem = at.row ? at.row->problem : problem;
    at.g = ss_bench_group_of(b, at.problem, way);
    at.c = at.row ? ss_paper_best(b, at.row, way) : &at.g->cases[i];
    return at;
}

static const char *way_name(const ss_bench *b, int way)
{
    return b->nway > 1 ? b->paper->way_names[way] : "ours";
}

static void print_title(const ss_bench_at *at, FILE *out)
{
    const ss_bench *b = at->b;
    char goal[96];
    ss_settings_label(&at->g->goal, goal, sizeof goal);
    fprintf(out, "\n");
    if (has_theirs(b))
        fprintf(out, is_resized(b) ? "theirs: %s; ours: " : "%s, ",
                b->paper->problems[at->problem]);
    fprintf(out, "%s", at->g->label);
    if (at->g->goal.n > 0)
        fprintf(out, ", to the error of %s at %g of the first residual", goal,
                ss_config_real(&at->g->cfg, "until"));
    else if (at->g->equal)
        fprintf(out, ", to the accuracy of %d classic iterations", SS_BENCH_T);
    else if (!has_theirs(b) && at->g->solve)
        fprintf(out, ", to %g of the first residual", ss_config_real(&at->g->cfg, "until"));
    fprintf(out, "\n");
}

static int put_before(const ss_bench_at *at, FILE *out)
{
    return put_headings(before(at, false), out) + put_headings(before(at, true), out);
}

static void print_headings(const ss_bench_at *at, FILE *out)
{
    const ss_bench *b = at->b;
    const ss_bench_figure *ours = kind_of(at)->ours;
    if (at->row)
        fprintf(out, " %*s", put_before(at, NULL), "");
    for (int way = 0; at->row && way < b->nway; way++) {
        fprintf(out, " |");
        put(way_name(b, way), way + 1 < b->nway ? 1 - put_headings(ours, NULL) : 0, out);
    }
    fprintf(out, at->row ? "\n " : " ");
    put_before(at, out);
    for (int way = 0; way < b->nway; way++) {
        fprintf(out, at->row ? " |" : "");
        put_headings(ours, out);
    }
    fprintf(out, "\n");
}

static void print_line(ss_bench *b, int problem, int i, FILE *out)
{
    ss_bench_at at = line_of(b, problem, i, 0);
    fprintf(out, " ");
    put_figures(before(&at, false), &at, out);
    put_figures(before(&at, true), &at, out);
    for (int way = 0; way < b->nway; way++) {
        at = line_of(b, problem, i, way);
        fprintf(out, at.row ? " |" : "");
        put_ours(&at, out);
    }
    fprintf(out, "\n");
}

static bool is_shown(const ss_bench *b, int problem, int i)
{
    const ss_paper_row *row = b->paper ? &b->paper->rows[i] : NULL;
    return !row || (row->problem == problem && !row->hidden);
}

bool ss_bench_is_done(const ss_bench *b, const ss_bench_case *c)
{
    return *c->skipped || c->measured >= b->rounds;
}

/* Are all cases of line i measured, and those that they are compared with? */
static bool is_ready(ss_bench *b, int problem, int i)
{
    const ss_paper_row *row = b->paper ? &b->paper->rows[i] : NULL;
    bool ready = true;
    for (int way = 0; way < b->nway; way++) {
        const ss_bench_group *g = ss_bench_group_of(b, row ? row->problem : problem, way);
        for (int c = 0; c < g->ncase; c++)
            if (g->cases[c].role != SS_BENCH_CASE)
                ready = ready && ss_bench_is_done(b, &g->cases[c]);
        for (int c = 0; row && c < row->count; c++)
            ready = ready && ss_bench_is_done(b, &g->cases[row->at[c]]);
        ready = ready && (row || ss_bench_is_done(b, &g->cases[i]));
    }
    return ready;
}

/* Is c faster than all other cases of its solver, by more than the spread? Not if it is the only
 * one. */
static bool is_best(const ss_bench *b, const ss_bench_group *g, const ss_bench_case *c)
{
    const char *solver = ss_settings_value(&c->set, "solver");
    int others = 0;
    for (const ss_bench_case *d = g->cases; d < g->cases + g->ncase; d++) {
        if (d == c || *d->skipped || d->role != SS_BENCH_CASE ||
            strcmp(ss_settings_value(&d->set, "solver"), solver) != 0)
            continue;
        if (!ss_bench_is_faster(g->solve ? c->checked : c->iteration,
                                g->solve ? d->checked : d->iteration, b->rounds))
            return false;
        others++;
    }
    return others > 0 && !*c->skipped && c->role == SS_BENCH_CASE;
}

/* Below a problem's table: the settings of each solver that are the fastest on this device. */
static void print_best(const ss_bench *b, const ss_bench_group *g, FILE *out)
{
    bool any = false;
    for (int i = 0; i < g->ncase; i++) {
        if (!is_best(b, g, &g->cases[i]))
            continue;
        fprintf(out, "%s%s", any ? "; " : "  fastest: ", g->cases[i].label);
        any = true;
    }
    fprintf(out, any ? "\n" : "");
}

void ss_bench_print_lines(ss_bench *b, int problem, FILE *out)
{
    int lines = b->paper ? b->paper->nrow : ss_bench_group_of(b, problem, 0)->ncase;
    if (b->line == 0)
        b->shown = NULL;
    for (; b->line < lines; b->line++) {
        if (!is_shown(b, problem, b->line))
            continue;
        if (!is_ready(b, problem, b->line))
            break;
        ss_bench_at at = line_of(b, problem, b->line, 0);
        if (kind_of(&at)->ours != b->shown) {
            print_title(&at, out);
            print_headings(&at, out);
        }
        b->shown = kind_of(&at)->ours;
        print_line(b, problem, b->line, out);
        if (!b->paper && b->line == lines - 1)
            print_best(b, ss_bench_group_of(b, problem, 0), out);
    }
    fflush(out);
}

/* The i-th column that is shown for all cases of a row; NULL: there is none. */
static const ss_bench_figure *listed(const ss_bench_kind *kind, int i)
{
    const ss_bench_figure *f = kind->ours;
    for (; !is_last(f); f++)
        if (f->list && i-- == 0)
            return f;
    return NULL;
}

/* The heading of a row's columns: its choices. Rows with the same ones share it. */
static void head_list(ss_bench_at at, const ss_bench_figure *f, char *last, size_t size, FILE *out)
{
    char text[48], all[1024] = "";
    size_t used = 0;
    for (int k = 0; k < at.row->count && used < sizeof all; k++) {
        at.c = &at.g->cases[at.row->at[k]];
        ss_bench_put_choice(&at, text, sizeof text);
        used += (size_t)snprintf(all + used, sizeof all - used, " %10s", text);
    }
    if (strcmp(all, last) != 0)
        fprintf(out, "\n%s, %s, %-24s%s\n", at.b->paper->problems[at.problem],
                way_name(at.b, at.way), f->heading, all);
    snprintf(last, size, "%s", all);
}

/* A line for each row with a list, a column for each choice. */
static void print_list(ss_bench *b, int problem, int way, int figure, FILE *out)
{
    char text[48], heading[1024] = "";
    for (int i = 0; i < b->paper->nrow; i++) {
        const ss_paper_row *row = &b->paper->rows[i];
        const ss_bench_figure *f = listed(row->kind, figure);
        if (row->problem != problem || row->count < 2 || !f)
            continue;
        ss_bench_at at = line_of(b, problem, i, way);
        head_list(at, f, heading, sizeof heading, out);
        fprintf(out, "  %-32s", row->label);
        for (int k = 0; k < row->count; k++) {
            at.c = &at.g->cases[row->at[k]];
            figure_text(f, &at, text, sizeof text);
            put(*at.c->skipped ? "-" : text, 10, out);
        }
        fprintf(out, "\n");
    }
}

void ss_bench_print_end(ss_bench *b, FILE *out)
{
    char up[32], down[32];
    int lists = b->paper ? 2 : 0;
    for (int i = 0; i < lists * b->nproblem * b->nway; i++)
        print_list(b, i / b->nway % b->nproblem, i % b->nway, i / b->nway / b->nproblem, out);
    fprintf(out, "\n%s", b->paper ? "" : ss_embed_text("assets/help/bench_legend.txt"));
    for (int i = 0; b->paper && i < b->paper->nlegend; i++)
        fprintf(out, "  %s\n", b->paper->legend[i]);
    if (b->transfers > 0)
        fprintf(out, "  our transfers take %s to the device and %s back, on average\n",
                ss_format_si(b->upload, "s", up, sizeof up),
                ss_format_si(b->download, "s", down, sizeof down));
    if (b->nsample == 1)
        return;
    fprintf(out, "\nlimits, medians of %d measurements\n\n", b->nsample);
    print_limits(b, out);
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* Adds the figures as fields. */
static void add_figures(const ss_bench_figure *f, const ss_bench_at *at, json_t *o)
{
    char text[160];
    for (; !is_last(f); f++) {
        double v = f->text || !f->key ? 0 : ss_bench_value(f, at);
        bool whole = f->format && strcmp(f->format, "%.0f") == 0;
        if (!f->key)
            continue;
        if (f->text)
            f->text(at, text, sizeof text);
        json_object_set_new(o, f->key,
                            f->text        ? json_string(text)
                            : !isfinite(v) ? json_null()
                            : whole        ? json_integer((json_int_t)v)
                                           : json_real(v));
    }
}

static void add_ours(const ss_bench_at *at, bool ready, json_t *o)
{
    if (!ready)
        json_object_set_new(o, "pending", json_true());
    else if (*at->c->skipped)
        json_object_set_new(o, "skipped", json_string(at->c->skipped));
    else
        add_figures(kind_of(at)->ours, at, o);
}

/* Integers as numbers, everything else as text. */
static json_t *value_json(const char *value)
{
    char *end;
    long long number = strtoll(value, &end, 10);
    return *value && !*end ? json_integer(number) : json_string(value);
}

static json_t *settings_json(const ss_settings *s)
{
    json_t *o = json_object();
    for (int i = 0; i < s->n; i++)
        json_object_set_new(o, s->at[i].name, value_json(s->at[i].value));
    return o;
}

static void add_seconds(const char *key, double seconds, json_t *o)
{
    if (seconds > 0)
        json_object_set_new(o, key, json_real(seconds));
}

static json_t *case_json(const ss_bench_at *at, bool ready)
{
    static const char *const roles[SS_BENCH_NROLE] = {"case", "classic", "stream"};
    const ss_bench_case *c = at->c;
    json_t *o = json_object();
    add_figures(named, at, o);
    json_object_set_new(o, "role", json_string(roles[c->role]));
    json_object_set_new(o, "params", settings_json(&c->set));
    add_ours(at, ready, o);
    json_object_set_new(o, "samples", ss_bench_list(ss_bench_samples(at), c->measured));
    add_seconds("bench_load", c->load, o);
    add_seconds("bench_prepare", c->prepared, o);
    add_seconds("bench_spent", c->spent, o);
    return o;
}

static json_t *group_json(ss_bench *b, int problem)
{
    const ss_bench_group *g = ss_bench_group_of(b, problem, 0);
    json_t *o = settings_json(&g->set), *cases = json_array();
    json_object_set_new(o, "measured", json_string(g->cases->kind->word));
    if (g->solve && !g->equal)
        json_object_set_new(o, "until", json_real(ss_config_real(&g->cfg, "until")));
    for (int i = 0; i < g->ncase; i++) {
        ss_bench_at at = line_of(b, problem, i, 0);
        json_array_append_new(cases, case_json(&at, is_ready(b, problem, i)));
    }
    add_seconds("bench_open", g->opened, o);
    add_seconds("bench_limits", g->limited, o);
    json_object_set_new(o, "cases", cases);
    return o;
}

/* A paper's row in one way: all its cases. */
static json_t *way_json(ss_bench_at at, bool ready)
{
    char choice[48];
    json_t *list = json_array();
    const ss_bench_case *best = at.c;
    for (int k = 0; at.row && k < at.row->count; k++) {
        json_t *o = json_object();
        at.c = &at.g->cases[at.row->at[k]];
        ss_bench_put_choice(&at, choice, sizeof choice);
        json_object_set_new(o, "choice", json_string(choice));
        add_ours(&at, ready, o);
        if (ready && !*at.c->skipped)
            json_object_set_new(o, "best", json_boolean(at.c == best));
        json_array_append_new(list, o);
    }
    return json_pack("{s:s,s:o}", "way", way_name(at.b, at.way), "cases", list);
}

static json_t *row_json(ss_bench *b, int i)
{
    ss_bench_at at = line_of(b, 0, i, 0);
    json_t *o = json_object(), *ways = json_array();
    add_figures(before(&at, false), &at, o);
    add_figures(before(&at, true), &at, o);
    for (int way = 0; way < b->nway; way++)
        json_array_append_new(ways, way_json(line_of(b, 0, i, way), is_ready(b, 0, i)));
    json_object_set_new(o, "ours", ways);
    return o;
}

static json_t *head_json(const ss_bench *b)
{
    json_t *limits = json_object();
    for (int i = 0; i < b->nlimit; i++)
        json_object_set_new(limits, b->limits[i].name,
                            json_real(ss_bench_median(b->limit[i], b->nsample)));
    return json_pack("{s:s,s:s,s:s,s:i,s:o}", "backend", b->backend->name, "device", b->device,
                     "detail", b->detail, "rounds", b->rounds, "limits", limits);
}

static void add_paper(const ss_bench *b, json_t *o)
{
    json_t *notes = json_array();
    for (int i = 0; i < b->paper->nnote; i++)
        json_array_append_new(notes, json_string(b->paper->notes[i]));
    json_object_set_new(o, "paper", json_string(b->paper->name));
    json_object_set_new(o, "notes", notes);
    if (b->groups[0].cases[0].kind->steps > 0)
        json_object_set_new(o, "steps", json_integer(b->groups[0].cases[0].kind->steps));
    if (b->transfers > 0) {
        json_object_set_new(o, "seconds_upload", json_real(b->upload));
        json_object_set_new(o, "seconds_download", json_real(b->download));
    }
}

bool ss_bench_is_complete(ss_bench *b, int problem)
{
    bool complete = true;
    for (int g = 0; g < b->nproblem * b->nway; g++)
        for (int i = 0; i < b->groups[g].ncase && (problem < 0 || g % b->nproblem == problem); i++)
            complete = complete && ss_bench_is_done(b, &b->groups[g].cases[i]);
    return complete;
}

json_t *ss_bench_json(ss_bench *b)
{
    json_t *o = head_json(b), *list = json_array();
    bool complete = ss_bench_is_complete(b, -1);
    ss_json_about(o);
    json_object_set_new(o, "complete", json_boolean(complete));
    if (b->paper)
        add_paper(b, o);
    for (int i = 0; i < (b->paper ? b->paper->nrow : b->nproblem); i++)
        json_array_append_new(list, b->paper ? row_json(b, i) : group_json(b, i));
    json_object_set_new(o, b->paper ? "rows" : "groups", list);
    if (!complete)
        json_object_set_new(o, "progress", ss_bench_progress(b));
    return o;
}
