/* The plain Markdown reader gives the blocks of md4c, for every lesson and every text in one. */
#include "src/markdown/plain.h"

#include "src/base/embed.h"
#include "src/lesson/document.h"
#include "src/app/tables.h"
#include "tests/check.h"

typedef struct heard {
    char *text;
    size_t n, room;
} heard;

static int hear(void *ctx, const ss_md_block *b, ss_err *err)
{
    heard *h = ctx;
    size_t more = strlen(b->marked) + 200;
    (void)err;
    if (h->n + more > h->room) {
        h->room = 2 * (h->n + more);
        h->text = realloc(h->text, h->room);
    }
    bool fence = b->kind == SS_MD_CODE && !b->info[0]; /* md4c gives the line below it */
    h->n += (size_t)sprintf(h->text + h->n, "%d %d %d [%s] %s\n", (int)b->kind, b->level,
                            fence ? 0 : b->line, b->info, b->marked);
    return SS_OK;
}

static char *blocks(int (*read)(const char *, size_t, ss_md_fn *, void *, ss_err *),
                    const char *text, size_t size)
{
    heard h = {.text = calloc(1, 1), .room = 1};
    ss_err err = {0};
    CHECK_MSG(read(text, size, hear, &h, &err) == SS_OK, "%s", err.text);
    return h.text;
}

/* Shows the first line that differs. */
static void compare(const char *name, const char *text, size_t size)
{
    char *theirs = blocks(ss_markdown_read, text, size);
    char *ours = blocks(ss_markdown_plain, text, size);
    const char *a = theirs, *b = ours, *at = ours;
    for (; *a && *a == *b; a++, b++)
        if (*b == '\n')
            at = b + 1;
    size_t same = (size_t)(at - ours);
    CHECK_MSG(*a == *b, "%s:\nmd4c:  %.*s\nplain: %.*s", name, (int)strcspn(theirs + same, "\n"),
              theirs + same, (int)strcspn(at, "\n"), at);
    free(theirs);
    free(ours);
}

TEST(markdown, every_lesson_has_the_blocks_of_md4c)
{
    for (int i = 0; ss_lesson_embedded(i); i++) {
        const struct ss_embed *e = ss_lesson_embedded(i);
        compare(e->name, (const char *)e->data, e->size);
    }
}

TEST(markdown, every_text_of_a_step_has_the_blocks_of_md4c)
{
    ss_tables_init();
    for (int i = 0; ss_lesson_embedded(i); i++) {
        const struct ss_embed *e = ss_lesson_embedded(i);
        ss_err err = {0};
        ss_lesson *l = ss_lesson_parse(e->name, (const char *)e->data, e->size, &err);
        CHECK_MSG(l, "%s", err.text);
        for (int s = 0; s < l->nstep; s++) {
            const char *texts[] = {l->step[s].turn, l->step[s].block[SS_L_HINT].text,
                                   l->step[s].block[SS_L_REVEAL].text};
            for (int t = 0; t < 3; t++)
                if (texts[t])
                    compare(e->name, texts[t], strlen(texts[t]));
        }
        ss_lesson_free(l);
    }
}

TEST(markdown, nothing_past_the_end_is_read)
{
    compare("an unfinished link", "[](d)", sizeof "[](d" - 1);
}

TEST(markdown, what_lessons_may_use_is_read_alike)
{
    static const char *const texts[] = {
        "24. The panel\nshows it.\n",
        "1. one\n2. two\n\n3. three\n",
        "7) one\n\n8) two\n\nthree\n",
        "a list:\n- one\n- two\n  goes on\nand lazily\n\nafter\n",
        "- one\n\n  two\n",
        "the year\n1986. No list\n",
        "a *b* c **d** _e_ __f__ `g h` ``i ` j`` k_l_m 2*3*4 * x *\n",
        "a [link](to/there.md#x) and ![a picture](p.png) and <https://a.b/c> and [none]\n",
        "x \\* y \\_ z `\\*`\n",
        "*em `code*` still* and **strong *em* strong**\n",
        "# One #\n## Two\n### Three ###\n#four\n####### seven\n",
        "Title\n=====\n\nText\n---\n\nmore\n\n---\n\nend\n",
        "| a | b |\n|---|---|\n| `1` | 2 *x* |\n| 3 | 4 |\n\nafter\n",
        "> a quote\n> goes on\n\ntext\n",
        "text  \nbroken\nsoft\n",
        "```do\nstep 1\n  k\n\nx\n```\n~~~\ny\n```\n~~~\n",
        "```sh\nnot closed\n",
        "   three spaces\n\n    four spaces\n",
        "* one\n* two\n\n+ three\n",
        "",
        "\n\n",
        "one\r\ntwo\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        compare(texts[i], texts[i], strlen(texts[i]));
}
