/* Texts: see text.h. */
#include "src/base/text.h"

#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- lines ------------------------------------------------------------------------------------ */

void ss_say(FILE *out, const char *fmt, ...)
{
    char line[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    fprintf(out, "%s\n", ss_text_safe(ss_utf8_trim(line)));
}

/* --- progress --------------------------------------------------------------------------------- */

void ss_bar_show(double part, const char *fmt, ...)
{
    static const char full[] = "########################################";
    int width = (int)sizeof full - 1;
    va_list ap;
    if (!isatty(STDERR_FILENO))
        return;
    va_start(ap, fmt);
    fprintf(stderr, "\r[%-*.*s] ", width, (int)(width * (part < 1 ? part : 1)), full);
    vfprintf(stderr, fmt, ap);
    fprintf(stderr, "\033[K");
    fflush(stderr);
    va_end(ap);
}

void ss_bar_clear(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

/* --- interned strings ------------------------------------------------------------------------- */

/* An unsorted list is enough: few strings are interned: those typed by a user, and what kernels
 * were compiled from. */

typedef struct node {
    struct node *next;
    char text[];
} node;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static node *all; /* under lock */

const char *ss_intern(const char *text)
{
    pthread_mutex_lock(&lock);
    node *n = all;
    while (n && strcmp(n->text, text) != 0)
        n = n->next;
    size_t size = strlen(text) + 1;
    if (!n && (n = malloc(sizeof *n + size))) {
        memcpy(n->text, text, size);
        n->next = all;
        all = n;
    }
    pthread_mutex_unlock(&lock);
    return n ? n->text : NULL;
}

void ss_intern_free(void)
{
    while (all) {
        node *n = all;
        all = n->next;
        free(n);
    }
}

/* --- files in the program --------------------------------------------------------------------- */

const char *ss_embed_text(const char *name)
{
    for (const struct ss_embed *e = ss_embed; e->name; e++)
        if (strcmp(e->name, name) == 0)
            return (const char *)e->data;
    return NULL;
}

/* --- kernels ---------------------------------------------------------------------------------- */

/* Part of a text. */
typedef struct part {
    const char *at;
    size_t n;
} part;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static part trimmed(part p)
{
    while (p.n > 0 && isspace((unsigned char)*p.at))
        p.at++, p.n--;
    while (p.n > 0 && isspace((unsigned char)p.at[p.n - 1]))
        p.n--;
    return p;
}

/* Is the word followed by "(" in the text up to `end`? */
static bool names_function(const char *from, const char *end, part word)
{
    for (const char *at = from; at + word.n < end; at++)
        if (memcmp(at, word.at, word.n) == 0 && !is_word(at[-1])) {
            const char *after = at + word.n;
            after += strspn(after, " \n");
            if (*after == '(')
                return true;
        }
    return false;
}

static part name_of(const char *entry)
{
    return (part){entry, strcspn(entry, "<")};
}

/* The `__global__` of the kernel; NULL: none. */
static const char *find_global(const char *text, const char *entry)
{
    static const char mark[] = "__global__";
    for (const char *at = strstr(text, mark); at; at = strstr(at + 1, mark)) {
        const char *head = at + sizeof mark - 1;
        if (names_function(head, head + strcspn(head, "{;"), name_of(entry)))
            return at;
    }
    return NULL;
}

/* The parameters in `template <...>` directly before `global`; at NULL: there is none. */
static part parameters_before(const char *text, const char *global)
{
    int depth = 0;
    const char *end = global;
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    if (end == text || end[-1] != '>')
        return (part){NULL, 0};
    for (const char *at = end - 1; at >= text; at--) {
        depth += (*at == '>') - (*at == '<');
        if (depth == 0)
            return (part){at + 1, (size_t)(end - at - 2)};
    }
    return (part){NULL, 0};
}

/* Takes the next part of a list from it: up to a comma outside brackets. False: the list is empty.
 */
static bool next_part(part *list, part *out)
{
    int depth = 0;
    size_t n = 0;
    for (; n < list->n && !(depth == 0 && list->at[n] == ','); n++)
        depth += (strchr("<(", list->at[n]) != NULL) - (strchr(">)", list->at[n]) != NULL);
    if (list->n == 0)
        return false;
    *out = trimmed((part){list->at, n});
    n += n < list->n;
    list->at += n;
    list->n -= n;
    return true;
}

/* "COLUMNS" of "int COLUMNS", "T" of "typename T = typename E::real". */
static part parameter_name(part p)
{
    const char *equals = memchr(p.at, '=', p.n);
    if (equals)
        p.n = (size_t)(equals - p.at);
    p = trimmed(p);
    size_t first = p.n;
    while (first > 0 && is_word(p.at[first - 1]))
        first--;
    return (part){p.at + first, p.n - first};
}

static part arguments_of(const char *entry)
{
    size_t name = name_of(entry).n, n = strlen(entry);
    return name + 2 <= n ? (part){entry + name + 1, n - name - 2} : (part){entry, 0};
}

bool ss_kernel_is_in(const char *text, const char *entry)
{
    return find_global(text, entry) != NULL;
}

size_t ss_kernel_begin(const char *text, const char *entry)
{
    const char *global = find_global(text, entry);
    if (!global)
        return 0;
    part list = parameters_before(text, global);
    const char *at = list.at ? list.at : global;
    while (at > text && at[-1] != '\n')
        at--;
    return (size_t)(at - text);
}

const char *ss_kernel_constants(const char *text, const char *entry, char *buf, size_t size)
{
    const char *global = find_global(text, entry);
    part names = {NULL, 0}, values = arguments_of(entry), name, value;
    size_t used = 0;
    buf[0] = '\0';
    if (global)
        names = parameters_before(text, global);
    while (used < size && next_part(&names, &name) && next_part(&values, &value)) {
        name = parameter_name(name);
        used += (size_t)snprintf(buf + used, size - used, "%s%.*s %.*s", used ? ", " : "",
                                 (int)name.n, name.at, (int)value.n, value.at);
    }
    return buf;
}

size_t ss_kernel_end(const char *text, size_t begin)
{
    static const char closing[] = "\n}\n";
    const char *end = strstr(text + begin, closing);
    return end ? (size_t)(end - text) + sizeof closing - 1 : strlen(text);
}

int ss_kernel_line(const char *text, size_t at)
{
    int line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}
