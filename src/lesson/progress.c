/* Progress in $XDG_STATE_HOME/stencilscope/lessons, one line per lesson: "NAME DONE AT PREDICTION
 * ..." with the finished steps as a hexadecimal bit mask and - for no prediction. See document.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/lesson/document.h"
#include "src/base/file.h"

#define LINE_MAX_CHARS 1024

/* A name is one word in the file. */
static char word_char(char c)
{
    return (unsigned char)c <= ' ' || c == 127 ? '_' : c;
}

static bool is_of(const char *line, const char *name)
{
    while (*name && *line == word_char(*name))
        line++, name++;
    return !*name && *line == ' ';
}

static void read_line(char *line, ss_progress *out)
{
    char *save = NULL, *word = strtok_r(line, " ", &save);
    for (int i = -3; word && i < SS_STEPS_MAX; i++, word = strtok_r(NULL, " ", &save)) {
        if (i == -2)
            out->done = (unsigned)strtoul(word, NULL, 16);
        else if (i == -1)
            out->at = (int)strtol(word, NULL, 10);
        else if (i >= 0 && strcmp(word, "-") != 0)
            snprintf(out->predicted[i], sizeof out->predicted[i], "%s", word);
    }
    out->at = out->at >= 0 && out->at < SS_STEPS_MAX ? out->at : 0;
}

void ss_progress_load(const char *name, ss_progress *out)
{
    char path[1024], line[LINE_MAX_CHARS];
    FILE *f = ss_state_path("lessons", path, sizeof path, NULL) == SS_OK
                  ? ss_infile_open(path, NULL)
                  : NULL;
    memset(out, 0, sizeof *out);
    for (bool begins = true, first = true; f && fgets(line, sizeof line, f); first = false) {
        bool whole = strchr(line, '\n') != NULL;
        char *text = ss_line_plain(line, first);
        if (begins && is_of(text, name))
            read_line(text, out);
        begins = whole;
    }
    if (f)
        fclose(f);
}

static void write_line(const char *name, const ss_progress *p, FILE *to)
{
    for (; *name; name++)
        fputc(word_char(*name), to);
    fprintf(to, " %x %d", p->done, p->at);
    for (int i = 0; i < SS_STEPS_MAX; i++)
        fprintf(to, " %s", p->predicted[i][0] ? p->predicted[i] : "-");
    fprintf(to, "\n");
}

/* The lines of the other lessons. The last one of a damaged file may lack its line feed; a long
 * line comes in pieces. */
static int copy_others(const char *path, const char *name, FILE *to, ss_err *err)
{
    char line[LINE_MAX_CHARS];
    bool begins = true, first = true, ours = false, read;
    FILE *f = ss_infile_open(path, err);
    if (!f)
        return errno == ENOENT ? SS_OK : SS_FAIL;
    for (; fgets(line, sizeof line, f); first = false) {
        size_t mark = first ? ss_lines_mark(line, strlen(line)) : 0;
        ours = begins ? is_of(line + mark, name) : ours;
        begins = strchr(line, '\n') != NULL;
        if (!ours)
            fputs(line, to);
    }
    if (!begins && !ours)
        fputc('\n', to);
    read = !ferror(f);
    fclose(f);
    return read ? SS_OK : ss_fail(err, "%s cannot be read", path);
}

/* p NULL: forgets the lesson. */
static int rewrite(const char *path, const char *name, const ss_progress *p, ss_err *err)
{
    ss_outfile out;
    ss_err why;
    if (ss_outfile_open(&out, path, &why) != SS_OK)
        return ss_fail(err, "progress is not saved: %s", why.text);
    if (copy_others(path, name, out.stream, &why) != SS_OK) {
        ss_outfile_close(&out, false, NULL);
        return ss_fail(err, "progress is not saved: %.200s", why.text);
    }
    if (p)
        write_line(name, p, out.stream);
    if (ss_outfile_close(&out, true, &why) != SS_OK)
        return ss_fail(err, "progress is not saved: %s", why.text);
    return SS_OK;
}

static int replace(const char *name, const ss_progress *p, ss_err *err)
{
    char path[1024];
    ss_err why;
    if (ss_state_path("lessons", path, sizeof path, &why) != SS_OK)
        return ss_fail(err, "progress is not saved: %s", why.text);
    int lock = ss_state_lock(path), status = rewrite(path, name, p, err);
    if (lock >= 0)
        close(lock);
    return status;
}

int ss_progress_save(const char *name, const ss_progress *p, ss_err *err)
{
    return replace(name, p, err);
}

int ss_progress_reset(const char *name, ss_err *err)
{
    return replace(name, NULL, err);
}

int ss_progress_count(const ss_progress *p)
{
    int n = 0;
    for (int i = 0; i < SS_STEPS_MAX; i++)
        n += p->done >> i & 1;
    return n;
}
