/*
 * Reads a Markdown document as a flat list of blocks with line numbers: headings, paragraphs, list
 * items, code between fences: what lessons use. An item of a numbered list is a paragraph. In texts
 * it knows emphasis, code and links, of which the text stays. Any thread.
 */
#ifndef SS_LESSON_MARKDOWN_H
#define SS_LESSON_MARKDOWN_H

#include "src/base/common.h"
#include "src/snapshot/page.h"

typedef enum ss_md_kind { SS_MD_HEADING, SS_MD_PARAGRAPH, SS_MD_ITEM, SS_MD_CODE } ss_md_kind;

typedef struct ss_md_block {
    ss_md_kind kind;
    int level;          /* of a heading */
    int line;           /* number of its first line, from 1; of code: of the opening fence */
    char info[64];      /* code: the info string after the fence */
    bool unclosed;      /* code: the document ends before its fence does */
    const char *text;   /* without emphasis; code unchanged, each line ends with \n */
    const char *marked; /* the same with the style marks of page.h */
} ss_md_block;

/* Calls fn for every block in order. Fails if fn does not return SS_OK, if memory runs out, if the
 * text is longer than 1 MB. */
typedef int ss_md_fn(void *ctx, const ss_md_block *block, ss_err *err);
int ss_markdown_read(const char *text, size_t size, ss_md_fn *fn, void *ctx, ss_err *err);

#endif
