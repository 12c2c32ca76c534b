/* What a shared link may do, and what it is refused. */
#include "src/app/link.h"

#include "src/app/tables.h"
#include "tests/check.h"

static int expand(const char *link, int *argc, char ***argv, ss_err *err)
{
    static char *words[6];
    char *const given[] = {"stencilscope", "--ui", "none", "--link", (char *)link, NULL};
    ss_tables_init();
    memcpy(words, given, sizeof given);
    *argc = 5;
    *argv = words;
    return ss_link_expand(argc, argv, err);
}

TEST(link, its_words_take_its_place)
{
    int argc;
    char **argv;
    ss_err err = {0};
    CHECK_MSG(expand("stencilscope poisson2d shared --n 200 -e 'set k 4' -e 'mark '\\''a'\\'''",
                     &argc, &argv, &err) == SS_OK,
              "%s", err.text);
    static const char *const want[] = {"stencilscope", "--ui", "none",    "poisson2d",
                                       "shared",       "--n",  "200",     "-e",
                                       "set k 4",      "-e",   "mark 'a'"};
    CHECK_INT(argc, (int)(sizeof want / sizeof *want));
    for (int i = 0; i < argc; i++)
        CHECK_MSG(strcmp(argv[i], want[i]) == 0, "%d: %s", i, argv[i]);
    CHECK(argv[argc] == NULL);
}

TEST(link, a_command_line_without_one_stays)
{
    char *words[] = {"stencilscope", "poisson2d", "--", "--link", NULL}, **argv = words;
    int argc = 4;
    ss_err err;
    CHECK(ss_link_expand(&argc, &argv, &err) == SS_OK && argv == words && argc == 4);
}

TEST(link, whatever_reads_writes_or_starts_something_is_refused)
{
    static const struct {
        const char *link, *says;
    } cases[] = {
        {"poisson2d --save=x.npy", "--save"},
        {"poisson2d --save x.npy", "--save"},
        {"poisson2d --record x.cast", "--record"},
        {"poisson2d --rhs x.npy", "--rhs"},
        {"poisson2d --load x.npy", "--load"},
        {"poisson2d --run x.run", "--run"},
        {"poisson2d --json -", "--json"},
        {"poisson2d --ui tui", "--ui"},
        {"poisson2d --hosts a", "--hosts"},
        {"poisson2d --launcher rm", "--launcher"},
        {"poisson2d --link poisson2d", "--link"},
        {"poisson2d --e 'save x'", "--e"},
        {"poisson2d -esave", "-esave"},
        {"poisson2d -- --save", "--"},
        {"poisson2d -e 'save x.npy'", "save x.npy"},
        {"poisson2d -e 'load x.npy'", "load x.npy"},
        {"poisson2d -e 'play x.run'", "play x.run"},
        {"poisson2d -e 'record x.cast'", "record x.cast"},
        {"poisson2d -e 'copy'", "copy"},
        {"poisson2d -e 'export data x.csv'", "export data x.csv"},
        {"poisson2d -e 'bind q quit'", "bind q quit"},
        {"poisson2d -e 'frobnicate'", "frobnicate"},
        {"poisson2d -e", "without its value"},
        {"poisson2d --n", "without its value"},
        {"lesson 5", "not 'lesson'"},
        {"stencilscope bench", "not 'bench'"},
        {"-e 'step 3' lesson 5", "not 'lesson'"},
        {"--pin bench", "not 'bench'"},
        {"poisson2d -e 'step 3", "within quotes"},
        {"", "empty"},
        {"stencilscope   ", "empty"},
        {"poisson2d\n--n 3", "control character"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int argc;
        char **argv;
        ss_err err = {0};
        CHECK_MSG(expand(cases[i].link, &argc, &argv, &err) != SS_OK, "%s", cases[i].link);
        CHECK_MSG(strstr(err.text, cases[i].says), "%s: %s", cases[i].link, err.text);
    }
}

TEST(link, a_long_one_is_refused)
{
    static char link[4000];
    int argc;
    char **argv;
    ss_err err = {0};
    memset(link, 'a', sizeof link - 1);
    CHECK(expand(link, &argc, &argv, &err) != SS_OK && strstr(err.text, "longer"));
    for (int i = 0; i < 1000; i++)
        link[2 * i] = 'a', link[2 * i + 1] = ' ';
    link[2000] = '\0';
    CHECK(expand(link, &argc, &argv, &err) != SS_OK && strstr(err.text, "words"));
}
