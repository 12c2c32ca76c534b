/* Files: NumPy round trip, damaged ones, atomic writing; history and mailbox. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/core/history.h"
#include "src/base/file.h"
#include "src/snapshot/snapshot.h"
#include "tests/check.h"

static const char *scratch(const char *name)
{
    static char path[256];
    const char *dir = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/ss-%ld-%s", dir ? dir : "/tmp", (long)getpid(), name);
    return path;
}

TEST(npy, a_saved_array_is_read_back)
{
    const double rows[2][3] = {{1, -2.5, 3e-300}, {0.1, 0, 1e300}};
    ss_npy_shape shape = {.ndim = 2, .dim = {2, 3}, .prec = SS_F64}, got;
    ss_err err = {0};
    const char *path = scratch("a.npy");
    ss_npy *f = ss_npy_create(path, &shape, &err);
    CHECK_MSG(f, "%s", err.text);
    CHECK(ss_npy_write(f, rows, sizeof rows, &err) == SS_OK);
    CHECK_MSG(access(path, F_OK) != 0, "the name appears only when the file is whole");
    CHECK(ss_npy_close(f, true, &err) == SS_OK);
    double back[6];
    f = ss_npy_open(path, &got, &err);
    CHECK_MSG(f, "%s", err.text);
    CHECK_INT(got.ndim, 2);
    CHECK_INT(got.dim[0], 2);
    CHECK_INT(got.dim[1], 3);
    CHECK(ss_npy_read(f, back, 6, &err) == SS_OK);
    CHECK(memcmp(back, rows, sizeof rows) == 0);
    CHECK(ss_npy_read(f, back, 1, &err) == SS_FAIL);
    ss_npy_close(f, false, NULL);
    remove(path);
}

TEST(npy, single_precision_widens)
{
    const float row[5] = {1.5f, -0.1f, 3e-38f, 7, 0};
    ss_npy_shape shape = {.ndim = 1, .dim = {5}, .prec = SS_F32}, got;
    ss_err err = {0};
    const char *path = scratch("f.npy");
    ss_npy *f = ss_npy_create(path, &shape, &err);
    CHECK(f && ss_npy_write(f, row, sizeof row, &err) == SS_OK);
    CHECK(ss_npy_close(f, true, &err) == SS_OK);
    double back[5];
    f = ss_npy_open(path, &got, &err);
    CHECK(f && ss_npy_read(f, back, 5, &err) == SS_OK);
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(back[i], (double)row[i], 0);
    ss_npy_close(f, false, NULL);
    remove(path);
}

/* A file of version 1 with this header and these bytes behind it. */
static const char *write_array(const char *header, const void *data, size_t bytes)
{
    const char *path = scratch("array.npy");
    size_t n = strlen(header);
    FILE *out = fopen(path, "wb");
    CHECK(out && fwrite("\x93NUMPY\x01\x00", 1, 8, out) == 8);
    fputc((int)(n & 255), out);
    fputc((int)(n >> 8), out);
    CHECK(fputs(header, out) >= 0 && fwrite(data, 1, bytes, out) == bytes && fclose(out) == 0);
    return path;
}

static void refused(const char *header, const char *why)
{
    ss_npy_shape got;
    ss_err err = {0};
    const char *path = write_array(header, "", 0);
    CHECK(ss_npy_open(path, &got, &err) == NULL);
    CHECK_MSG(strncmp(err.text, path, strlen(path)) == 0 &&
                  strcmp(err.text + strlen(path), why) == 0,
              "%s: %s", header, err.text);
    remove(path);
}

TEST(npy, a_refusal_says_what_the_file_holds)
{
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
            ": it holds a single number, not an array");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }", ": the array is empty");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 3, 4), }",
            ": the array has more than 3 dimensions");
    refused("{'descr': '<c16', 'fortran_order': False, 'shape': (4,), }",
            ": the values are complex numbers; only real numbers are read: f2 to f8, i1 to i8, "
            "u1 to u8, bool");
    refused("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (4,), }",
            ": the values are records; only real numbers are read: f2 to f8, i1 to i8, u1 to u8, "
            "bool");
    refused("{'descr': '<f80', 'fortran_order': False, 'shape': (4,), }",
            ": the values are floating-point numbers of more than 64 bits; only real numbers are "
            "read: f2 to f8, i1 to i8, u1 to u8, bool");
    refused("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (4,), }",
            ": the NumPy header is damaged");
}

static void damaged(const void *bytes, size_t n, const char *why)
{
    ss_npy_shape got;
    ss_err err = {0};
    const char *path = scratch("bad.npy");
    FILE *out = fopen(path, "wb");
    CHECK(out && fwrite(bytes, 1, n, out) == n && fclose(out) == 0);
    CHECK(ss_npy_open(path, &got, &err) == NULL);
    CHECK_MSG(strstr(err.text, why), "%s", err.text);
    remove(path);
}

TEST(npy, damaged_files_are_refused)
{
    damaged("", 0, "not a NumPy array file");
    damaged("\x93NUMPY", 6, "not a NumPy array file");
    damaged("\x93NUMPY\x09\x00\x10\x00 garbage garbage ", 26, "not a NumPy array file");
    damaged("\x93NUMPY\x01\x00\xff\xff{", 11, "cut off");
    damaged("PK\x03\x04 an archive", 15, "np.save('b.npy', np.load('");
}

/* The first n values of a file of one row are `want`. */
static void reads(const char *descr, const void *data, size_t bytes, const double *want, int n)
{
    char header[128];
    double got[8];
    ss_npy_shape shape;
    ss_err err = {0};
    snprintf(header, sizeof header,
             "{\"descr\": \"%s\", \"fortran_order\": True, \"shape\": (%d,)}", descr, n);
    const char *path = write_array(header, data, bytes);
    ss_npy *f = ss_npy_open(path, &shape, &err);
    CHECK_MSG(f && ss_npy_read(f, got, (size_t)n, &err) == SS_OK, "%s: %s", descr, err.text);
    CHECK_MSG(memcmp(got, want, (size_t)n * sizeof *got) == 0, "%s: %g %g", descr, got[0],
              got[n - 1]);
    ss_npy_close(f, false, NULL);
    remove(path);
}

TEST(npy, every_type_of_real_numbers_is_read)
{
    reads(">f8", "\x3f\xf8\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0", 16, (double[]){1.5, -2}, 2);
    reads(">f4", "\x3f\xc0\0\0\xc0\0\0\0", 8, (double[]){1.5, -2}, 2);
    reads("<f2", "\0\x3e\0\xc0\1\0\xff\x7b", 8, (double[]){1.5, -2, 0x1p-24, 65504}, 4);
    reads(">i8", "\xff\xff\xff\xff\xff\xff\xff\xfe", 8, (double[]){-2}, 1);
    reads("<i4", "\1\0\0\0\0\0\0\x80", 8, (double[]){1, -2147483648.0}, 2);
    reads("<i2", "\xff\x7f\xff\xff", 4, (double[]){32767, -1}, 2);
    reads("|i1", "\x7f\x80", 2, (double[]){127, -128}, 2);
    reads("<u8", "\xff\xff\xff\xff\xff\xff\x1f\0", 8, (double[]){9007199254740991.0}, 1);
    reads(">u2", "\xff\xfe", 2, (double[]){65534}, 1);
    reads("|u1", "\xff\0", 2, (double[]){255, 0}, 2);
    reads("|b1", "\1\0\1", 3, (double[]){1, 0, 1}, 3);
}

TEST(npy, an_array_in_fortran_order_is_transposed)
{
    static const signed char stored[24] = {0, 12, 4, 16, 8,  20, 1, 13, 5, 17, 9,  21,
                                           2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23};
    double got[24];
    ss_npy_shape shape;
    ss_err err = {0};
    const char *path = write_array("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3, 4)}",
                                   stored, sizeof stored);
    ss_npy *f = ss_npy_open(path, &shape, &err);
    CHECK(f != NULL);
    for (int row = 0; row < 6; row++)
        CHECK(ss_npy_read(f, got + 4 * row, 4, &err) == SS_OK);
    for (int i = 0; i < 24; i++)
        CHECK_NEAR(got[i], i, 0);
    CHECK(ss_npy_read(f, got, 1, &err) == SS_FAIL && strstr(err.text, "cut off"));
    ss_npy_close(f, false, NULL);
    path = write_array("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3, 4)}", stored, 23);
    f = ss_npy_open(path, &shape, &err);
    CHECK(f && ss_npy_read(f, got, 4, &err) == SS_FAIL && strstr(err.text, "cut off"));
    ss_npy_close(f, false, NULL);
    remove(path);
}

TEST(npy, dimensions_of_one_element_do_not_count)
{
    const ss_npy_shape a = {.ndim = 3, .dim = {16, 8, 1}}, b = {.ndim = 3, .dim = {1, 16, 8}};
    const ss_npy_shape c = {.ndim = 2, .dim = {16, 8}}, d = {.ndim = 2, .dim = {8, 16}};
    const ss_npy_shape e = {.ndim = 1, .dim = {16}}, one = {.ndim = 2, .dim = {1, 1}};
    CHECK(ss_npy_same_shape(&a, &b) && ss_npy_same_shape(&a, &c) && ss_npy_same_shape(&c, &b));
    CHECK(!ss_npy_same_shape(&c, &d) && !ss_npy_same_shape(&c, &e) && !ss_npy_same_shape(&e, &a));
    CHECK(ss_npy_same_shape(&one, &one) && !ss_npy_same_shape(&one, &e));
}

TEST(npy, two_arrays_in_one_file_are_named)
{
    char both[64 + 60];
    ss_err err = {0};
    ss_npy_shape shape;
    int64_t tail;
    memset(both, 0, sizeof both);
    memcpy(both + 16, "\x93NUMPY\x01\x00", 8);
    const char *path =
        write_array("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", both, 60);
    ss_npy *f = ss_npy_open(path, &shape, &err);
    CHECK(f && ss_npy_check_seal(f, &tail, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "holds more than one array"), "%s", err.text);
    ss_npy_close(f, false, NULL);
    remove(path);
}

TEST(outfile, an_incomplete_file_is_never_visible)
{
    ss_outfile f;
    ss_err err = {0};
    const char *path = scratch("o.txt");
    CHECK(ss_outfile_open(&f, path, &err) == SS_OK);
    fputs("half", f.stream);
    CHECK(ss_outfile_close(&f, false, &err) == SS_OK);
    CHECK(access(path, F_OK) != 0 && access(f.temporary, F_OK) != 0);
    path = scratch("none/x");
    CHECK(ss_outfile_open(&f, path, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, path), "%s", err.text);
    if (access("/dev/full", W_OK) == 0) {
        CHECK(ss_outfile_open(&f, "/dev/full", &err) == SS_OK);
        fputs("text", f.stream);
        CHECK(ss_outfile_close(&f, true, &err) == SS_FAIL);
        CHECK_MSG(strstr(err.text, "space"), "%s", err.text);
    }
}

/* Neither a file nor a link that stands under the temporary name is written to. */
TEST(outfile, the_temporary_file_is_new_and_has_the_mode_of_the_old_one)
{
    ss_outfile f, other;
    ss_err err = {0};
    struct stat st;
    const char *path = scratch("m.txt");
    CHECK(ss_outfile_open(&f, path, &err) == SS_OK && ss_outfile_open(&other, path, &err) == SS_OK);
    CHECK(strcmp(f.temporary, other.temporary) != 0);
    CHECK(lstat(f.temporary, &st) == 0 && S_ISREG(st.st_mode));
    CHECK(ss_outfile_close(&f, true, &err) == SS_OK &&
          ss_outfile_close(&other, false, NULL) == SS_OK);
    CHECK(chmod(path, 0640) == 0 && ss_outfile_open(&f, path, &err) == SS_OK);
    CHECK(ss_outfile_close(&f, true, &err) == SS_OK && stat(path, &st) == 0);
    CHECK_INT(st.st_mode & 07777, 0640);
    remove(path);
}

TEST(outfile, a_pipe_without_a_reader_is_refused)
{
    ss_outfile f;
    ss_err err = {0};
    const char *path = scratch("w.pipe");
    CHECK(mkfifo(path, 0600) == 0);
    CHECK(ss_outfile_open(&f, path, &err) == SS_FAIL);
    CHECK_MSG(strstr(err.text, "nobody reads this pipe"), "%s", err.text);
    remove(path);
}

TEST(infile, only_regular_files_are_read)
{
    ss_err err = {0};
    const char *path = scratch("r.pipe");
    CHECK(mkfifo(path, 0600) == 0);
    CHECK(ss_infile_open(path, &err) == NULL);
    CHECK_MSG(strstr(err.text, "not a regular file"), "%s", err.text);
    remove(path);
    CHECK(ss_infile_open("/dev/zero", &err) == NULL && strstr(err.text, "not a regular file"));
    CHECK(ss_infile_open(scratch("none"), &err) == NULL && errno == ENOENT);
}

TEST(text, columns_are_those_of_a_terminal)
{
    CHECK_INT(ss_utf8_width("Übung"), 5);
    CHECK_INT(ss_utf8_width("熱 heat"), 7);
    CHECK_INT(ss_utf8_width("e\314\201"), 1);      /* a combining mark */
    CHECK_INT(ss_utf8_width("a\342\200\256b"), 3); /* drawn as a question mark */
    CHECK_INT(ss_utf8_width("\377\303"), 2);
    for (uint32_t ch = 0; ch < 0x40000; ch++) {
        char text[8] = "";
        const char *p = text;
        int n = ss_utf8_put(text, ch);
        bool valid = ch > 0 && (ch < 0xd800 || ch > 0xdfff);
        CHECK_MSG(!valid || (ss_utf8_next(&p) == ch && p == text + n), "U+%04X", (unsigned)ch);
    }
}

/* Long texts of others are cut to whole characters, and the cut is seen. */
TEST(text, sentences_show_what_was_cut)
{
    ss_err err;
    ss_fail(&err, "'%.6s' of %d, %5.2f %% and %lld: %-4s|%.*s", "Überfall", 7, 1.5, (long long)-1,
            "ab", 2, "xyz");
    CHECK_STR(err.text, "'Überf…' of 7,  1.50 % and -1: ab  |xy");
    ss_fail(&err, "'%.3s' '%.2s'", "aaü", "ab");
    CHECK_STR(err.text, "'aa…' 'ab'");
    ss_fail(&err, "again: %s %c%zu %g", err.text, 'x', (size_t)9, 0.25);
    CHECK_STR(err.text, "again: 'aa…' 'ab' x9 0.25");
    char many[2000];
    memset(many, 'm', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    ss_fail(&err, "%s and more", many);
    CHECK_INT((int)strlen(err.text), (int)sizeof err.text - 1);
}

TEST(text, pairs_of_numbers_have_either_sign)
{
    int a, b;
    CHECK(ss_parse_pair("800x600", &a, &b) && a == 800 && b == 600);
    CHECK(ss_parse_pair("800×600", &a, &b) && a == 800 && b == 600);
    CHECK_STR(ss_parse_pair("16x64+2x8", &a, &b), "+2x8");
    CHECK(!ss_parse_pair("800", &a, &b) && !ss_parse_pair("x600", &a, &b));
    CHECK(!ss_parse_pair("800,600", &a, &b) && !ss_parse_pair("", &a, &b));
}

TEST(text, control_characters_and_broken_utf8_become_question_marks)
{
    static const char *const rows[][2] = {{"k 16 \xe2\x86\x92 32", "k 16 \xe2\x86\x92 32"},
                                          {"\033]0;x\a", "?]0;x?"},
                                          {"a\nb\tc\x7f", "a?b?c?"},
                                          {"\xc2\x9b[31m", "?[31m"},
                                          {"\x9b\xff\xe2\x86", "????"},
                                          {"", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[40];
        ss_err err;
        snprintf(text, sizeof text, "%s", rows[i][0]);
        CHECK_STR(ss_text_safe(text), rows[i][1]);
        ss_fail(&err, "'%s'", rows[i][0]);
        CHECK_MSG(!strchr(err.text, '\033'), "%s", err.text);
    }
}

TEST(history, a_history_is_bounded_and_keeps_first_and_last)
{
    ss_history h = {.count = 0};
    int64_t n = 3 * (int64_t)SS_HISTORY_MAX;
    for (int64_t i = 0; i < n; i++)
        ss_history_add(&h, (ss_point){.cycle = i, .residual = 1});
    CHECK(h.count <= SS_HISTORY_MAX);
    CHECK_INT(h.point[0].cycle, 0);
    CHECK(h.point[h.count - 1].cycle >= n - 8);
    for (size_t i = 1; i < h.count; i++)
        CHECK(h.point[i].cycle > h.point[i - 1].cycle);
    ss_point thin[100];
    CHECK_INT(ss_history_thin(&h, thin, 100), 100);
    CHECK_INT(thin[0].cycle, 0);
    CHECK_INT(thin[1].cycle, h.point[1].cycle); /* a logarithmic axis begins there */
    CHECK_INT(thin[99].cycle, h.point[h.count - 1].cycle);
    ss_history_free(&h);
}

/* A writer and a reader at full speed: every snapshot is complete, and none is older than the last.
 */
static void *write_many(void *arg)
{
    ss_mailbox *m = arg;
    for (uint64_t i = 1; i <= 200000; i++) {
        ss_snapshot *s = ss_mailbox_back(m);
        s->seq = i;
        s->ticket = i;
        s->message_seq = i;
        ss_mailbox_publish(m);
    }
    return NULL;
}

TEST(history, labels_are_cut_at_whole_characters)
{
    static ss_history h;
    const char *arrows = "\xe2\x86\x92\xe2\x86\x92\xe2\x86\x92\xe2\x86\x92\xe2\x86\x92"
                         "\xe2\x86\x92\xe2\x86\x92\xe2\x86\x92\xe2\x86\x92\xe2\x86\x92"
                         "\xe2\x86\x92\xe2\x86\x92\xe2\x86\x92\xe2\x86\x92\xe2\x86\x92"
                         "\xe2\x86\x92\xe2\x86\x92";
    CHECK_INT(strlen(arrows), 51);
    ss_history_mark(&h, (ss_point){0}, arrows);
    CHECK_INT(strlen(h.mark[0].text), 45); /* of 47 */
    ss_history_remark(&h, arrows, "k 8");  /* is found although it was cut */
    CHECK_STR(h.mark[0].text, "k 8");
    static const struct {
        const char *text, *cut;
    } table[] = {{"", ""},
                 {"abc", "abc"},
                 {"a\xc2\xb7", "a\xc2\xb7"},
                 {"a\xc2", "a"},
                 {"a\xe2\x86", "a"},
                 {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
                 {"\xf0\x9f\x98", ""}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[8];
        snprintf(text, sizeof text, "%s", table[i].text);
        CHECK_STR(ss_utf8_trim(text), table[i].cut);
    }
    ss_history_free(&h);
}

TEST(mailbox, the_reader_gets_complete_and_newest_snapshots)
{
    pthread_t writer;
    ss_mailbox *m = ss_mailbox_new();
    uint64_t last = 0;
    bool fresh;
    CHECK(ss_mailbox_take(m, &fresh) == NULL && !fresh);
    CHECK_INT(pthread_create(&writer, NULL, write_many, m), 0);
    while (last < 200000) {
        const ss_snapshot *s = ss_mailbox_take(m, &fresh);
        if (!fresh)
            continue;
        CHECK(s->seq > last && s->ticket == s->seq && s->message_seq == s->seq);
        last = s->seq;
    }
    pthread_join(writer, NULL);
    ss_mailbox_free(m);
}
