/* The .npy format, versions 1 to 3 (NumPy's format description): see npy.h. */
#include "src/base/npy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "src/base/infile.h"
#include "src/base/outfile.h"

struct ss_npy {
    FILE *in;
    ss_outfile out;
    ss_prec prec;
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

static int parse_shape(const char *text, ss_npy_shape *shape)
{
    if (!text || *text != '(')
        return SS_FAIL;
    const char *p = text + 1;
    for (shape->ndim = 0; *p && *p != ')';) {
        char *end;
        long long d = strtoll(p, &end, 10);
        if (end == p || d < 1 || shape->ndim == 3)
            return SS_FAIL;
        shape->dim[shape->ndim++] = d;
        for (p = end; *p == ',' || *p == ' ' || *p == 'L'; p++)
            ;
    }
    return *p == ')' && shape->ndim > 0 ? SS_OK : SS_FAIL;
}

static int parse_header(const char *path, const char *header, ss_npy_shape *shape, ss_err *err)
{
    const char *descr = find_value(header, "'descr'");
    const char *order = find_value(header, "'fortran_order'");
    if (!descr || !order || parse_shape(find_value(header, "'shape'"), shape) != SS_OK)
        return ss_fail(err, "%s: the NumPy header is damaged, or has more than 3 dimensions", path);
    if (strncmp(order, "False", 5) != 0)
        return ss_fail(err, "%s: the array is in Fortran order; save np.ascontiguousarray(a)",
                       path);
    if (strncmp(descr, "'<f8'", 5) == 0)
        shape->prec = SS_F64;
    else if (strncmp(descr, "'<f4'", 5) == 0)
        shape->prec = SS_F32;
    else
        return ss_fail(err, "%s: the values are %.8s; only '<f8' and '<f4' are read", path, descr);
    return SS_OK;
}

static int read_header(ss_npy *f, ss_npy_shape *shape, ss_err *err)
{
    unsigned char pre[12];
    if (fread(pre, 1, 10, f->in) != 10 || memcmp(pre, "\x93NUMPY", 6) != 0 || pre[6] < 1 ||
        pre[6] > 3)
        return ferror(f->in) ? ss_fail_outside(err, "cannot read %s: %s", f->path, strerror(errno))
                             : ss_fail(err, "%s: not a NumPy array file", f->path);
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
        return ss_fail(err, "out of memory");
    int status = fread(header, 1, size, f->in) == size
                     ? parse_header(f->path, header, shape, err)
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
        ss_fail(err, "out of memory");
    return f;
}

ss_npy *ss_npy_open(const char *path, ss_npy_shape *shape, ss_err *err)
{
    ss_npy *f = new_file(path, err);
    if (!f)
        return NULL;
    f->in = ss_infile_open(path, err);
    if (!f->in || read_header(f, shape, err) != SS_OK) {
        ss_npy_close(f, false, NULL);
        return NULL;
    }
    f->prec = shape->prec;
    return f;
}

int ss_npy_read(ss_npy *f, double *out, size_t n, ss_err *err)
{
    size_t size = ss_prec_size(f->prec);
    errno = 0;
    if (fread(out, size, n, f->in) != n)
        return ss_fail_outside(err, "cannot read %s: %s", f->path,
                               ferror(f->in) && errno ? strerror(errno) : "the file is cut off");
    if (f->prec == SS_F32) /* widens in place, from the last value */
        for (size_t i = n; i-- > 0;) {
            float v;
            memcpy(&v, (char *)out + i * sizeof v, sizeof v);
            out[i] = (double)v;
        }
    return SS_OK;
}

int ss_npy_tail(const char *path, char *buf, size_t size, ss_err *err)
{
    ss_npy_shape shape;
    ss_npy *f = ss_npy_open(path, &shape, err);
    if (!f)
        return SS_FAIL;
    off_t bytes = (off_t)ss_prec_size(shape.prec);
    for (int i = 0; i < shape.ndim; i++)
        bytes *= shape.dim[i];
    bool ok = fseeko(f->in, bytes, SEEK_CUR) == 0;
    size_t n = ok ? fread(buf, 1, size, f->in) : 0;
    int status = !ok         ? ss_fail(err, "cannot read %s: %s", path, strerror(errno))
                 : n == size ? ss_fail(err, "%s: the text after the array is too long", path)
                             : SS_OK;
    buf[n < size ? n : 0] = '\0';
    ss_npy_close(f, false, NULL);
    return status;
}

ss_npy *ss_npy_create(const char *path, const ss_npy_shape *shape, ss_err *err)
{
    char dict[160], text[80];
    ss_npy *f = new_file(path, err);
    if (!f || ss_outfile_open(&f->out, path, err) != SS_OK) {
        free(f);
        return NULL;
    }
    f->prec = shape->prec;
    int n = snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                     shape->prec == SS_F64 ? "<f8" : "<f4",
                     ss_npy_shape_text(shape, text, sizeof text));
    /* The data must start at a multiple of 64 bytes, and the header must end with \n. */
    int total = (10 + n + 1 + 63) / 64 * 64 - 10;
    fwrite("\x93NUMPY\x01\x00", 1, 8, f->out.stream);
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
    bool file = strcmp(f->out.temporary, f->out.path) != 0;
    if (!file || fflush(f->out.stream) != 0)
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
    free(f);
    return status;
}
