/*
 * The Markdown reader: the blocks of every lesson and of its texts, one letter each, and what it
 * reads of a list of examples. Both were written by md4c, another reader, and are in markdown.txt;
 * SS_GOLDEN=write writes them anew.
 */
#include "src/lesson/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app/tables.h"
#include "src/base/text.h"
#include "tests/check.h"

#define GOLDEN "tests/src/lesson/markdown.txt"

static void read_text(const char *text, size_t size, ss_md_fn *fn, FILE *to)
{
    ss_err err = {0};
    CHECK_MSG(ss_markdown_read(text, size, fn, to, &err) == SS_OK, "%s", err.text);
}

/* # headings of the first level, 2 and 3 of the others, P paragraphs, - items, C code. */
static int write_letter(void *to, const ss_md_block *b, ss_err *err)
{
    static const char letters[] = {[SS_MD_PARAGRAPH] = 'P', [SS_MD_ITEM] = '-', [SS_MD_CODE] = 'C'};
    (void)err;
    fputc(b->kind != SS_MD_HEADING ? letters[b->kind] : b->level == 1 ? '#' : '0' + b->level, to);
    return SS_OK;
}

static void write_lesson(const struct ss_embed *e, FILE *to)
{
    ss_err err = {0};
    ss_lesson *l = ss_lesson_parse(e->name, (const char *)e->data, e->size, &err);
    CHECK_MSG(l, "%s", err.text);
    fprintf(to, "%s\n ", e->name);
    read_text((const char *)e->data, e->size, write_letter, to);
    fprintf(to, "\n ");
    for (int s = 0; s < l->nstep; s++) {
        const char *texts[] = {l->step[s].turn, l->step[s].block[SS_L_HINT].text,
                               l->step[s].block[SS_L_REVEAL].text};
        for (int t = 0; t < 3; t++) {
            if (texts[t])
                read_text(texts[t], strlen(texts[t]), write_letter, to);
            fputc(' ', to);
        }
    }
    fprintf(to, "\n");
    ss_lesson_free(l);
}

/* The whole block; a style mark as its number in braces. */
static int write_block(void *to, const ss_md_block *b, ss_err *err)
{
    (void)err;
    fprintf(to, "  %c%d line %d [%s] ", "HPIC"[b->kind], b -> level, b -> line, b -> info);
    for (const char *p = b->marked; *p; p++)
        if (*p == '\n')
            fprintf(to, "\\n");
        else if ((unsigned char)*p < ' ')
            fprintf(to, "{%d}", *p);
        else
            fputc(*p, to);
    fprintf(to, "\n");
    return SS_OK;
}

static const char *const examples[] = {
    "24. The panel\nshows it.\n",
    "1. one\n2. two\n\n3. three\n",
    "7) one\n\n8) two\n\nthree\n",
    "a list:\n- one\n- two\n  goes on\nand lazily\n\nafter\n",
    "- one\n\n  two\n",
    "the year\n1986. No list\n",
    "a *b* c **d** _e_ __f__ `g h` ``i ` j`` k_l_m 2*3*4 * x *\n",
    "a [link](to/there.md#x) and [none]\n",
    "x \\* y \\_ z `\\*`\n",
    "*em `code*` still* and **strong *em* strong**\n",
    "# One #\n## Two\n### Three ###\n#four\n####### seven\n",
    "more\n\n---\n\nend\n",
    "```do\nstep 1\n  k\n\nx\n```\n~~~do\ny\n```\n~~~\n",
    "``` in `` a text\n",
    "   three spaces\n\n    four spaces\n",
    "* one\n* two\n\n+ three\n",
    "",
    "\n\n",
    "one\r\ntwo\r\n",
    "[](d",
};

static void write_all(FILE *to)
{
    ss_tables_init();
    for (int i = 0; ss_lesson_embedded(i); i++)
        write_lesson(ss_lesson_embedded(i), to);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        fprintf(to, "example %zu\n", i);
        read_text(examples[i], strlen(examples[i]), write_block, to);
    }
}

TEST(markdown, every_lesson_has_the_blocks_that_md4c_reads)
{
    char *got = NULL;
    size_t n = 0;
    static char want[1 << 16];
    const char *asked = getenv("SS_GOLDEN");
    bool write = asked && strcmp(asked, "write") == 0;
    FILE *to = open_memstream(&got, &n), *f = fopen(GOLDEN, write ? "w" : "r");
    CHECK(to && f);
    write_all(to);
    fclose(to);
    if (write)
        fputs(got, f);
    else
        want[fread(want, 1, sizeof want - 1, f)] = '\0';
    fclose(f);
    CHECK_MSG(write || strcmp(got, want) == 0,
              GOLDEN " differs; SS_GOLDEN=write makes it anew."
                     " It is now:\n%s",
              got);
    free(got);
}
