/* The .npy format, versions 1 to 3 (NumPy's format description): see file.h. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "src/base/file.h"

/* --- checksum --------------------------------------------------------------------------------- */

/* Eight bytes at a time, by eight tables. */

#define POLYNOMIAL 0xc96c5795d7870f42U

static uint64_t table[8][256]; /* table[k][b]: of byte b with k zero bytes behind it */
static pthread_once_t filled = PTHREAD_ONCE_INIT;

static void fill(void)
{
    for (unsigned b = 0; b < 256; b++) {
        uint64_t crc = b;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
        table[0][b] = crc;
    }
    for (int k = 1; k < 8; k++)
        for (unsigned b = 0; b < 256; b++)
            table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 255];
}

/* The first byte of memory is the lowest one: the machine is little-endian, as the arrays are. */
static uint64_t eight(uint64_t crc, const unsigned char *p)
{
    uint64_t word, out = 0;
    memcpy(&word, p, sizeof word);
    word ^= crc;
    for (int k = 0; k < 8; k++)
        out ^= table[7 - k][word >> 8 * k & 255];
    return out;
}

uint64_t ss_crc64(uint64_t before, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    uint64_t crc = ~before;
    pthread_once(&filled, fill);
    for (; bytes >= 8; bytes -= 8, p += 8)
        crc = eight(crc, p);
    for (; bytes > 0; bytes--, p++)
        crc = crc >> 8 ^ table[0][(crc ^ *p) & 255];
    return ~crc;
}

/* --- the files -------------------------------------------------------------------------------- */

#define MAGIC "\x93NUMPY"

struct ss_npy {
    FILE *in;
    ss_outfile out;
    const struct type *type; /* of a file to read, and its byte order: */
    bool swapped;
    bool fortran; /* the array is transposed when it is first read, into whole */
    ss_npy_shape shape;
    int64_t end; /* of the array, in bytes from the begin of the file */
    char *whole;
    size_t bytes, at; /* of whole: all, and those that were read */
    char path[1024];
};

const char *ss_npy_shape_text(const ss_npy_shape *s, char *buf, size_t size)
{
    size_t n = (size_t)snprintf(buf, size, "(");
    for (int i = 0; i < s->ndim && n < size; i++)
        n += (size_t)snprintf(buf + n, size - n, "%s%lld", i ? ", " : "", (long long)s->dim[i]);
    if (n < size)
        snprintf(buf + n, size - n, s->ndim == 1 ? ",)" : ")");
    return buf;
}

static const char *find_value(const char *header, const char *key)
{
    const char *p = strstr(header, key);
    p = p ? strchr(p + strlen(key), ':') : NULL;
    if (!p)
        return NULL;
    for (p++; *p == ' '; p++)
        ;
    return p;
}

bool ss_npy_same_shape(const ss_npy_shape *a, const ss_npy_shape *b)
{
    int i = 0, j = 0;
    for (;; i++, j++) {
        while (i < a->ndim && a->dim[i] == 1)
            i++;
        while (j < b->ndim && b->dim[j] == 1)
            j++;
        if (i == a->ndim || j == b->ndim)
            return i == a->ndim && j == b->ndim;
        if (a->dim[i] != b->dim[j])
            return false;
    }
}

/* --- types of numbers ------------------------------------------------------------------------- */

static double from_f8(uint64_t bits, int width)
{
    double v;
    (void)width;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static double from_f4(uint64_t bits, int width)
{
    float v;
    uint32_t low = (uint32_t)bits;
    (void)width;
    memcpy(&v, &low, sizeof v);
    return (double)v;
}

/* A sign, 5 bits of exponent, 10 of the fraction. */
static double from_f2(uint64_t bits, int width)
{
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double v = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
               : exponent > 0 ? ldexp(1024 + fraction, exponent - 25)
                              : ldexp(fraction, -24);
    (void)width;
    return bits >> 15 ? -v : v;
}

static double from_integer(uint64_t bits, int width)
{
    uint64_t sign = (uint64_t)1 << (8 * width - 1);
    return (double)(int64_t)((bits ^ sign) - sign);
}

static double from_natural(uint64_t bits, int width)
{
    (void)width;
    return (double)bits;
}

static double from_truth(uint64_t bits, int width)
{
    (void)width;
    return bits ? 1 : 0;
}

/* NumPy's names without the byte order. Each value has at most the bytes of a double. */
static const struct type {
    const char *name;
    int width; /* bytes */
    double (*value)(uint64_t bits, int width);
} types[] = {
    {"f8", 8, from_f8},      {"f4", 4, from_f4},      {"f2", 2, from_f2},
    {"i8", 8, from_integer}, {"i4", 4, from_integer}, {"i2", 2, from_integer},
    {"i1", 1, from_integer}, {"u8", 8, from_natural}, {"u4", 4, from_natural},
    {"u2", 2, from_natural}, {"u1", 1, from_natural}, {"b1", 1, from_truth},
};

/* By the first letter of the name: what is not read. */
static const struct {
    char letter;
    const char *what;
} others[] = {{'c', "complex numbers"},
              {'f', "floating-point numbers of more than 64 bits"},
              {'S', "texts"},
              {'U', "texts"},
              {'O', "Python objects"},
              {'V', "records"},
              {'[', "records"},
              {'m', "times"},
              {'M', "dates"}};

/* descr: the value in the header, "'<f8', ..." or "[('a', ..." */
static int parse_type(ss_npy *f, const char *descr, ss_err *err)
{
    const char *name = descr + (*descr == '\''), *what = "of an unknown type";
    f->swapped = *name == '>';
    name += *name && strchr("<>=|", *name) != NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t n = strlen(types[i].name);
        if (strncmp(name, types[i].name, n) == 0 && name[n] == '\'') {
            f->type = &types[i];
            return SS_OK;
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (*name == others[i].letter)
            what = others[i].what;
    return ss_fail(err,
                   "%s: the values are %s; only real numbers are read: f2 to f8, i1 to i8, u1 "
                   "to u8, bool",
                   f->path, what);
}

/* In place, from the last value: raw value i never begins after double i. */
static void convert(const ss_npy *f, double *out, size_t n)
{
    int width = f->type->width;
    if (f->type->value == from_f8 && !f->swapped)
        return;
    for (size_t i = n; i-- > 0;) {
        const unsigned char *raw = (const unsigned char *)out + i * (size_t)width;
        uint64_t bits = 0;
        for (int b = 0; b < width; b++)
            bits |= (uint64_t)raw[f->swapped ? width - 1 - b : b] << 8 * b;
        out[i] = f->type->value(bits, width);
    }
}

/* --- the header ------------------------------------------------------------------------------- */

static int parse_shape(const char *path, const char *text, ss_npy_shape *shape, ss_err *err)
{
    bool empty = false;
    const char *p = text && *text == '(' ? text + 1 : "";
    for (shape->ndim = 0; *p && *p != ')';) {
        char *end;
        long long d = strtoll(p, &end, 10);
        if (end == p || d < 0)
            return ss_fail(err, "%s: the NumPy header is damaged", path);
        if (shape->ndim == 3)
            return ss_fail(err, "%s: the array has more than 3 dimensions", path);
        empty = empty || d == 0;
        shape->dim[shape->ndim++] = d;
        for (p = end; *p == ',' || *p == ' ' || *p == 'L'; p++)
            ;
    }
    if (*p != ')')
        return ss_fail(err, "%s: the NumPy header is damaged", path);
    if (shape->ndim == 0)
        return ss_fail(err, "%s: it holds a single number, not an array", path);
    return empty ? ss_fail(err, "%s: the array is empty", path) : SS_OK;
}

/* A product beyond any file: the array cannot be there. */
static int find_end(ss_npy *f, ss_err *err)
{
    int64_t n = 1;
    for (int i = 0; i < f->shape.ndim; i++) {
        if (f->shape.dim[i] > ((int64_t)1 << 59) / n)
            return ss_fail(err, "%s: the file is cut off", f->path);
        n *= f->shape.dim[i];
    }
    f->end = (int64_t)ftello(f->in) + n * f->type->width;
    return SS_OK;
}

static int fail_cut_off(const ss_npy *f, ss_err *err)
{
    return ss_fail_outside(err, "cannot read %s: %s", f->path,
                           ferror(f->in) && errno ? strerror(errno) : "the file is cut off");
}

/* Fortran order, first index fastest, into `whole`, in C order. */
static int transpose(ss_npy *f, ss_err *err)
{
    static const char what[] = "an array in Fortran order";
    size_t n[3] = {1, 1, 1}, width = (size_t)f->type->width;
    for (int i = 0; i < f->shape.ndim; i++)
        n[3 - f->shape.ndim + i] = (size_t)f->shape.dim[i];
    size_t count = n[0] * n[1] * n[2];
    char *raw = ss_alloc(count * width, what, err);
    char *to = raw ? f->whole = ss_alloc(count * width, what, err) : NULL;
    bool read = to && fread(raw, width, count, f->in) == count;
    for (size_t k = 0; k < n[0] && read; k++)
        for (size_t j = 0; j < n[1]; j++)
            for (size_t i = 0; i < n[2]; i++, to += width)
                memcpy(to, raw + (k + n[0] * (j + n[1] * i)) * width, width);
    f->bytes = count * width;
    free(raw);
    if (to && !read)
        return fail_cut_off(f, err);
    return to ? SS_OK : SS_FAIL;
}

static bool is_line(const ss_npy_shape *shape)
{
    int more = 0;
    for (int i = 0; i < shape->ndim; i++)
        more += shape->dim[i] > 1;
    return more < 2; /* both orders are the same bytes */
}

static int parse_header(ss_npy *f, char *header, ss_npy_shape *shape, ss_err *err)
{
    for (char *p = header; (p = strchr(p, '"'));)
        *p = '\''; /* both quotes are Python's */
    const char *descr = find_value(header, "'descr'");
    const char *order = find_value(header, "'fortran_order'");
    if (!descr || !order)
        return ss_fail(err, "%s: the NumPy header is damaged", f->path);
    if (parse_shape(f->path, find_value(header, "'shape'"), shape, err) != SS_OK ||
        parse_type(f, descr, err) != SS_OK)
        return SS_FAIL;
    shape->prec = f->type->value == from_f4 ? SS_F32 : SS_F64;
    f->shape = *shape;
    f->fortran = strncmp(order, "True", 4) == 0 && !is_line(shape);
    if (!f->fortran && strncmp(order, "True", 4) != 0 && strncmp(order, "False", 5) != 0)
        return ss_fail(err, "%s: the NumPy header is damaged", f->path);
    return SS_OK;
}

/* What other files hold, by their first bytes or the end of their name. */
static int fail_other(const ss_npy *f, const void *begin, ss_err *err)
{
    size_t n = strlen(f->path);
    if (memcmp(begin, "PK", 2) == 0)
        return ss_fail(err,
                       "%s: an archive of arrays (.npz), not a NumPy array file: np.save('b.npy', "
                       "np.load('%s')['b'])",
                       f->path, f->path);
    if (n > 4 && strcmp(f->path + n - 4, ".csv") == 0)
        return ss_fail(err,
                       "%s: not a NumPy array file: np.save('b.npy', np.loadtxt('%s', "
                       "delimiter=','))",
                       f->path, f->path);
    return ss_fail(err, "%s: not a NumPy array file", f->path);
}

static int read_header(ss_npy *f, ss_npy_shape *shape, ss_err *err)
{
    unsigned char pre[12] = {0};
    size_t begin = fread(pre, 1, 10, f->in);
    if (ferror(f->in))
        return ss_fail_outside(err, "cannot read %s: %s", f->path, strerror(errno));
    if (begin != 10 || memcmp(pre, MAGIC, sizeof MAGIC - 1) != 0 || pre[6] < 1 || pre[6] > 3)
        return fail_other(f, pre, err);
    size_t size = (size_t)pre[8] + 256u * pre[9];
    if (pre[6] > 1) {
        if (fread(pre + 10, 1, 2, f->in) != 2)
            return ss_fail(err, "%s: the file is cut off", f->path);
        size += 65536u * pre[10] + 16777216u * pre[11];
    }
    if (size > 65536)
        return ss_fail(err, "%s: the NumPy header is damaged", f->path);
    char *header = calloc(1, size + 1);
    if (!header)
        return ss_fail_memory(err, "the header of an array", size);
    int status = fread(header, 1, size, f->in) == size
                     ? parse_header(f, header, shape, err)
                     : ss_fail(err, "%s: the file is cut off", f->path);
    free(header);
    return status;
}

static ss_npy *new_file(const char *path, ss_err *err)
{
    ss_npy *f = calloc(1, sizeof *f);
    if (f)
        snprintf(f->path, sizeof f->path, "%s", path);
    else
        ss_fail_memory(err, "a file", sizeof *f);
    return f;
}

ss_npy *ss_npy_open(const char *path, ss_npy_shape *shape, ss_err *err)
{
    ss_npy *f = new_file(path, err);
    if (!f)
        return NULL;
    f->in = ss_infile_open(path, err);
    if (f->in && read_header(f, shape, err) == SS_OK && find_end(f, err) == SS_OK)
        return f;
    ss_npy_close(f, false, NULL);
    return NULL;
}

int ss_npy_read(ss_npy *f, double *out, size_t n, ss_err *err)
{
    size_t width = (size_t)f->type->width;
    errno = 0;
    if (f->fortran && !f->whole && transpose(f, err) != SS_OK)
        return SS_FAIL;
    if (f->whole && n * width <= f->bytes - f->at) {
        memcpy(out, f->whole + f->at, n * width);
        f->at += n * width;
    } else if (f->whole || fread(out, width, n, f->in) != n)
        return fail_cut_off(f, err);
    convert(f, out, n);
    return SS_OK;
}

/* Is it written under a temporary name? A pipe or a device is not. */
static bool is_file(const ss_npy *f)
{
    return strcmp(f->out.temporary, f->out.path) != 0;
}

int ss_npy_read_tail(ss_npy *f, int64_t at, void *out, size_t bytes, ss_err *err)
{
    errno = 0;
    if (fseeko(f->in, (off_t)(f->end + at), SEEK_SET) == 0 && fread(out, 1, bytes, f->in) == bytes)
        return SS_OK;
    return ss_fail_outside(err, "cannot read %s: %s", f->path,
                           errno ? strerror(errno) : "the file is cut off");
}

/* --- the checksum ----------------------------------------------------------------------------- */

enum { SEAL_BYTES = 23 };

/* Of the first `bytes` bytes of the file; the stream's position does not change. */
static int seal_of(const ss_npy *f, FILE *stream, int64_t bytes, char seal[SEAL_BYTES + 1],
                   ss_err *err)
{
    unsigned char part[1 << 16];
    uint64_t sum = 0;
    for (int64_t at = 0; at < bytes;) {
        int64_t left = bytes - at;
        size_t want = left < (int64_t)sizeof part ? (size_t)left : sizeof part;
        ssize_t n = pread(fileno(stream), part, want, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return ss_fail_outside(err, "cannot read %s: %s", f->path,
                                   n < 0 ? strerror(errno) : "the file is cut off");
        sum = ss_crc64(sum, part, (size_t)n);
        at += n;
    }
    snprintf(seal, SEAL_BYTES + 1, "crc64 %016llx\n", (unsigned long long)sum);
    return SS_OK;
}

int ss_npy_seal(ss_npy *f, ss_err *err)
{
    char seal[SEAL_BYTES + 1];
    if (!is_file(f))
        return ss_fail_outside(err, "cannot write %s: its checksum needs a regular file", f->path);
    if (fflush(f->out.stream) != 0)
        return ss_fail_outside(err, "cannot write %s: %s", f->path, strerror(errno));
    if (seal_of(f, f->out.stream, ftello(f->out.stream), seal, err) != SS_OK)
        return SS_FAIL;
    return ss_npy_write(f, seal, SEAL_BYTES, err);
}

/* Is the tail one more array? */
static bool is_array(ss_npy *f, int64_t tail)
{
    char begin[sizeof MAGIC - 1];
    return tail >= (int64_t)sizeof begin &&
           ss_npy_read_tail(f, 0, begin, sizeof begin, NULL) == SS_OK &&
           memcmp(begin, MAGIC, sizeof begin) == 0;
}

int ss_npy_check_seal(ss_npy *f, int64_t *tail, ss_err *err)
{
    struct stat st;
    char seal[SEAL_BYTES + 1], found[SEAL_BYTES + 1] = "";
    if (fstat(fileno(f->in), &st) != 0)
        return ss_fail_outside(err, "cannot read %s: %s", f->path, strerror(errno));
    *tail = (int64_t)st.st_size - f->end;
    if (*tail == 0)
        return SS_OK;
    if (*tail < 0)
        return ss_fail_outside(err, "cannot read %s: the file is cut off", f->path);
    if (is_array(f, *tail))
        return ss_fail(err, "%s holds more than one array: save each in a file of its own",
                       f->path);
    *tail -= SEAL_BYTES;
    if (*tail <= 0)
        return ss_npy_damaged(f, err);
    if (ss_npy_read_tail(f, *tail, found, SEAL_BYTES, err) != SS_OK ||
        seal_of(f, f->in, f->end + *tail, seal, err) != SS_OK)
        return SS_FAIL;
    return memcmp(seal, found, SEAL_BYTES) == 0 ? SS_OK : ss_npy_damaged(f, err);
}

int ss_npy_damaged(const ss_npy *f, ss_err *err)
{
    return ss_fail_outside(err,
                           "%s: this state is damaged or cut off, or an older version wrote it: "
                           "save it again",
                           f->path);
}

ss_npy *ss_npy_create(const char *path, const ss_npy_shape *shape, ss_err *err)
{
    char dict[160], text[80];
    ss_npy *f = new_file(path, err);
    if (!f || ss_outfile_open(&f->out, path, err) != SS_OK) {
        free(f);
        return NULL;
    }
    int n = snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                     shape->prec == SS_F64 ? "<f8" : "<f4",
                     ss_npy_shape_text(shape, text, sizeof text));
    /* The data must start at a multiple of 64 bytes, and the header must end with \n. */
    int total = (10 + n + 1 + 63) / 64 * 64 - 10;
    fwrite(MAGIC "\x01\x00", 1, 8, f->out.stream);
    fputc(total & 255, f->out.stream);
    fputc(total >> 8, f->out.stream);
    fprintf(f->out.stream, "%-*s\n", total - 1, dict);
    return f;
}

int ss_npy_write(ss_npy *f, const void *data, size_t bytes, ss_err *err)
{
    if (fwrite(data, 1, bytes, f->out.stream) != bytes)
        return ss_fail_outside(err, "cannot write %s: %s", f->path, strerror(errno));
    return SS_OK;
}

const char *ss_npy_place(ss_npy *f, int64_t *begin)
{
    if (!is_file(f) || fflush(f->out.stream) != 0)
        return NULL;
    *begin = ftello(f->out.stream);
    return f->out.temporary;
}

int ss_npy_skip(ss_npy *f, int64_t bytes, ss_err *err)
{
    if (fseeko(f->out.stream, (off_t)bytes, SEEK_CUR) == 0)
        return SS_OK;
    return ss_fail_outside(err, "cannot write %s: %s", f->path, strerror(errno));
}

int ss_npy_close(ss_npy *f, bool ok, ss_err *err)
{
    if (!f)
        return SS_OK;
    if (f->in)
        fclose(f->in);
    int status = ss_outfile_close(&f->out, ok, err);
    free(f->whole);
    free(f);
    return status;
}
