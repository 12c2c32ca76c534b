/* The main of the fuzz targets without libFuzzer: runs every input, then seeded random mutations of
 * them until the time is up.  It has no coverage feedback, but finds simple faults, with the same
 * inputs every time.  Takes libFuzzer's -max_total_time=S and -seed=N and ignores its other
 * options; files and folders are inputs. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MAX = 4096, CORPUS_MAX = 1024 };

struct input {
    uint8_t data[INPUT_MAX];
    size_t size;
};

static struct input *corpus;
static size_t corpus_count;
static uint64_t state = 1;

/* splitmix64 */
static uint64_t next(void)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t below(size_t n)
{
    return n ? (size_t)(next() % n) : 0;
}

static void add_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return;
    if (corpus_count < CORPUS_MAX) {
        struct input *in = &corpus[corpus_count];
        in->size = fread(in->data, 1, INPUT_MAX, file);
        corpus_count += !ferror(file);
    }
    fclose(file);
}

static void add(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        add_file(path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        add_file(name);
    }
    closedir(folder);
}

/* One small mutation, often by what parsers fail on: digits, separators, broken UTF-8. */
static void mutate(struct input *in)
{
    static const char odd[] = "0123456789-+.eE=,;:/\\\"'%$#[]{}()\n\t \0\x1b\x7f\xc3\xff";
    size_t at = below(in->size + 1), rest = in->size - at;
    switch (below(6)) {
    case 0: /* change */
        if (rest)
            in->data[at] = (uint8_t)odd[below(sizeof odd)];
        break;
    case 1: /* flip */
        if (rest)
            in->data[at] ^= (uint8_t)(1u << below(8));
        break;
    case 2: /* cut off */
        in->size = at;
        break;
    case 3: /* take out */
        if (rest) {
            memmove(in->data + at, in->data + at + 1, rest - 1);
            in->size--;
        }
        break;
    case 4: /* put in */
        if (in->size < INPUT_MAX) {
            memmove(in->data + at + 1, in->data + at, rest);
            in->data[at] = (uint8_t)odd[below(sizeof odd)];
            in->size++;
        }
        break;
    default: /* splice another input's end */
        if (corpus_count) {
            const struct input *other = &corpus[below(corpus_count)];
            size_t from = below(other->size + 1), length = other->size - from;
            if (length > INPUT_MAX - at)
                length = INPUT_MAX - at;
            memcpy(in->data + at, other->data + from, length);
            in->size = at + length;
        }
    }
}

/* A copy of exactly the right size, so that the address sanitizer sees one byte too far. */
static void run(const struct input *in)
{
    uint8_t *exact = malloc(in->size ? in->size : 1);
    if (!exact)
        abort();
    memcpy(exact, in->data, in->size);
    LLVMFuzzerTestOneInput(exact, in->size);
    free(exact);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    double limit = 5;
    unsigned long runs = 0;

    corpus = calloc(CORPUS_MAX, sizeof *corpus);
    if (!corpus)
        return 1;
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "-max_total_time=", 16))
            limit = strtod(argv[i] + 16, NULL);
        else if (!strncmp(argv[i], "-seed=", 6))
            state = strtoull(argv[i] + 6, NULL, 10);
        else if (argv[i][0] != '-')
            add(argv[i]);
    }
    for (size_t i = 0; i < corpus_count; i++, runs++)
        run(&corpus[i]);
    static const struct input empty;
    static struct input in;
    run(&empty);
    for (double end = now() + limit; now() < end; runs++) {
        in = corpus_count ? corpus[below(corpus_count)] : empty;
        for (size_t n = 1 + below(8); n; n--)
            mutate(&in);
        run(&in);
    }
    printf("%lu runs, %zu inputs\n", runs, corpus_count);
    free(corpus);
    return 0;
}
