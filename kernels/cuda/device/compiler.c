/* Finds NVRTC and compiles kernels: see compiler.h. */
#include "kernels/cuda/device/compiler.h"

#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"
#include "src/base/text.h"

/* --- texts ---------------------------------------------------------------------------------------
 */

#define MOST_FILES 96 /* that one kernel includes, itself and C's headers counted */

/* A file and all that it includes, each once. */
typedef struct texts {
    int count;
    char *name[MOST_FILES], *text[MOST_FILES];
    uint64_t edited; /* the hash of the edited one; 0: none is */
} texts;

/* NVRTC has no headers of C. Shared headers name these; all are this one text. */
static const char *const c_headers[] = {"limits.h", "math.h",   "stdbool.h", "stddef.h",
                                        "stdint.h", "stdlib.h", "string.h",  "float.h"};
#define C_TEXT "kernels/cuda/device/c_headers.h"

static bool is_c_header(const char *name)
{
    for (size_t i = 0; i < sizeof c_headers / sizeof *c_headers; i++)
        if (strcmp(c_headers[i], name) == 0)
            return true;
    return false;
}

static char *read_whole(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, size = 1 << 16;
    for (char *more; f && (more = realloc(text, size + 1)); size *= 2) {
        text = more;
        used += fread(text + used, 1, size - used, f);
        if (used < size)
            break;
    }
    if (text)
        text[used] = '\0';
    if (f)
        fclose(f);
    return text;
}

/* The file whose text a user has changed. */
static pthread_mutex_t edit_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    const char *file, *text; /* NULL: there is none; interned; protected by edit_lock */
    uint64_t hash;
    unsigned version; /* grows with each change */
} edited;

int ss_cuda_edit(const char *file, const char *text, ss_err *err)
{
    const char *own_file = text ? ss_intern(file) : NULL, *own = text ? ss_intern(text) : NULL;
    if (text && (!own_file || !own))
        return ss_fail_memory(err, "a kernel's text", strlen(text));
    pthread_mutex_lock(&edit_lock);
    edited.file = own_file;
    edited.text = own;
    edited.hash = own ? ss_crc64(0, own, strlen(own)) : 0;
    edited.version++;
    pthread_mutex_unlock(&edit_lock);
    return SS_OK;
}

unsigned ss_cuda_text_version(void)
{
    pthread_mutex_lock(&edit_lock);
    unsigned version = edited.version;
    pthread_mutex_unlock(&edit_lock);
    return version;
}

/* The edited text of a file, with its hash; NULL: it was not edited. */
static const char *edited_text(const char *file, uint64_t *hash)
{
    pthread_mutex_lock(&edit_lock);
    const char *text = edited.file && strcmp(edited.file, file) == 0 ? edited.text : NULL;
    *hash = text ? edited.hash : 0;
    pthread_mutex_unlock(&edit_lock);
    return text;
}

/* The text of a file, to be freed, and its hash if it was edited, else 0; NULL: there is none. */
static char *text_of(const char *file, uint64_t *hash)
{
    const char *changed = edited_text(file, hash);
    if (changed)
        return strdup(changed);
    const char *folder = getenv("STENCILSCOPE_KERNELS");
    const char *embedded = ss_embed_text(file);
    char path[1024], *text = NULL;
    if (folder && snprintf(path, sizeof path, "%s/%s", folder, file) < (int)sizeof path)
        text = read_whole(path);
    return text ? text : embedded ? strdup(embedded) : NULL;
}

static void free_texts(texts *t)
{
    for (int i = 0; i < t->count; i++) {
        free(t->name[i]);
        free(t->text[i]);
    }
    t->count = 0;
}

static int add_text(texts *t, const char *name, ss_err *err)
{
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->name[i], name) == 0)
            return SS_OK;
    if (t->count == MOST_FILES)
        return ss_fail(err, "a kernel includes more than %d files", MOST_FILES);
    uint64_t hash;
    t->name[t->count] = strdup(name);
    t->text[t->count] = text_of(is_c_header(name) ? C_TEXT : name, &hash);
    t->edited = hash ? hash : t->edited;
    if (!t->name[t->count] || !t->text[t->count]) {
        free(t->name[t->count]);
        return ss_fail_outside(err, "there is no kernel file %s", name);
    }
    t->count++;
    return SS_OK;
}

/* The name in a line `#include "name"` or `#include <name>`. */
static bool includes(const char *line, char *name, size_t size)
{
    char format[32];
    snprintf(format, sizeof format, " #include %%*[\"<]%%%zu[^\">\n]", size - 1);
    return sscanf(line, format, name) == 1;
}

static int add_includes(texts *t, int which, ss_err *err)
{
    char name[256];
    for (const char *line = t->text[which]; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (includes(line, name, sizeof name) && add_text(t, name, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static int collect(texts *t, const char *file, ss_err *err)
{
    t->count = 0;
    t->edited = 0;
    int status = add_text(t, file, err);
    for (int i = 0; status == SS_OK && i < t->count; i++)
        status = add_includes(t, i, err);
    if (status != SS_OK)
        free_texts(t);
    return status;
}

ss_cuda_definition ss_cuda_defined(const ss_cuda_source *source)
{
    texts t;
    ss_cuda_definition d = {NULL, NULL, 0};
    if (collect(&t, source->file, NULL) != SS_OK)
        return d;
    for (int i = 0; i < t.count && !d.text; i++)
        if (ss_kernel_is_in(t.text[i], source->entry))
            d = (ss_cuda_definition){ss_intern(t.name[i]), ss_intern(t.text[i]), t.edited};
    free_texts(&t);
    return d;
}

/* FNV-1a: beside the checksum a second one of another kind. */
static uint64_t fnv(uint64_t before, const char *text)
{
    for (; *text; text++)
        before = (before ^ (unsigned char)*text) * 0x100000001b3;
    return before;
}

int ss_cuda_text_hash(const char *file, uint64_t out[2], ss_err *err)
{
    texts t;
    if (collect(&t, file, err) != SS_OK)
        return SS_FAIL;
    out[0] = 0;
    out[1] = 0xcbf29ce484222325;
    for (int i = 0; i < t.count; i++) {
        out[0] = ss_crc64(ss_crc64(out[0], t.name[i], strlen(t.name[i]) + 1), t.text[i],
                          strlen(t.text[i]) + 1);
        out[1] = fnv(fnv(out[1], t.name[i]), t.text[i]);
    }
    free_texts(&t);
    return SS_OK;
}

/* --- NVRTC ---------------------------------------------------------------------------------------
 */

typedef struct program_ *program;
static struct {
    int (*version)(int *major, int *minor);
    int (*count_archs)(int *out);
    int (*archs)(int *out);
    int (*create)(program *out, const char *text, const char *name, int headers,
                  const char *const *header, const char *const *header_name);
    int (*destroy)(program *p);
    int (*add_entry)(program p, const char *entry);
    int (*compile)(program p, int options, const char *const *option);
    int (*log_size)(program p, size_t *out);
    int (*log_text)(program p, char *out);
    int (*entry_name)(program p, const char *entry, const char **out);
    int (*code_size)(program p, size_t *out);
    int (*code)(program p, char *out);
    int (*ptx_size)(program p, size_t *out);
    int (*ptx)(program p, char *out);
    const char *(*words)(int code);
} nvrtc;

/* In the order of the members. */
static const char *const symbols[] = {"nvrtcVersion",           "nvrtcGetNumSupportedArchs",
                                      "nvrtcGetSupportedArchs", "nvrtcCreateProgram",
                                      "nvrtcDestroyProgram",    "nvrtcAddNameExpression",
                                      "nvrtcCompileProgram",    "nvrtcGetProgramLogSize",
                                      "nvrtcGetProgramLog",     "nvrtcGetLoweredName",
                                      "nvrtcGetCUBINSize",      "nvrtcGetCUBIN",
                                      "nvrtcGetPTXSize",        "nvrtcGetPTX",
                                      "nvrtcGetErrorString"};
_Static_assert(sizeof nvrtc == sizeof symbols / sizeof *symbols * sizeof(void (*)(void)),
               "a symbol for every member");

/* Where packages put the library: the toolkit, conda, and the wheels of pip. The loader's own path
 * comes first. */
static const char *const folders[] = {
    "$CUDA_HOME/lib64",
    "$CUDA_PATH/lib64",
    "/usr/local/cuda/lib64",
    "/usr/local/cuda-[0-9]*/lib64",
    "/opt/cuda/lib64",
    "$CONDA_PREFIX/lib",
    "$VIRTUAL_ENV/lib/python3*/site-packages/nvidia/*/lib",
    "$HOME/.local/lib/python3*/site-packages/nvidia/*/lib",
    "/usr/local/lib/python3*/*-packages/nvidia/*/lib",
    "/usr/lib/python3*/*-packages/nvidia/*/lib",
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below, and of NVRTC's calls */
static void *library;
static int known[64], nknown; /* the compute capabilities that it compiles for, ascending */

/* The library needs libnvrtc-builtins, and finds it only where it is loaded already. */
static void *open_in(const char *folder, int major)
{
    char path[1024];
    glob_t found;
    snprintf(path, sizeof path, "%.900s/libnvrtc-builtins.so.%d.*", folder, major);
    if (glob(path, 0, NULL, &found) == 0)
        dlopen(found.gl_pathv[found.gl_pathc - 1], RTLD_NOW | RTLD_GLOBAL);
    globfree(&found);
    snprintf(path, sizeof path, "%.900s/libnvrtc.so.%d", folder, major);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* "$NAME/rest" with the variable's value; false: it is not set. */
static bool expand(const char *pattern, char *out, size_t size)
{
    char name[32];
    int used = 0;
    if (sscanf(pattern, "$%31[A-Z_]%n", name, &used) != 1)
        return snprintf(out, size, "%s", pattern) < (int)size;
    const char *value = getenv(name);
    return value && *value && snprintf(out, size, "%s%s", value, pattern + used) < (int)size;
}

static void *open_like(const char *pattern, int major)
{
    char path[1024];
    glob_t found;
    void *made = NULL;
    if (!expand(pattern, path, sizeof path))
        return NULL;
    if (glob(path, 0, NULL, &found) == 0)
        for (size_t i = found.gl_pathc; i-- > 0 && !made;) /* the newest first */
            made = open_in(found.gl_pathv[i], major);
    globfree(&found);
    return made;
}

static void *open_major(int major)
{
    char name[32];
    snprintf(name, sizeof name, "libnvrtc.so.%d", major);
    void *made = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !made; i++)
        made = open_like(folders[i], major);
    return made;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static bool find_functions(void)
{
    void **member = (void **)(void *)&nvrtc;
    int count = 0;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (!(member[i] = dlsym(library, symbols[i])))
            return false;
    if (nvrtc.count_archs(&count) != 0 || count > (int)(sizeof known / sizeof *known) ||
        nvrtc.archs(known) != 0)
        return false;
    nknown = count;
    qsort(known, (size_t)count, sizeof *known, compare);
    return true;
}

/* The majors that this program knows, newest first; code of a newer one than the driver's does not
 * load. */
static void open_library(int driver)
{
    for (int major = 13; major >= 12 && !library; major--)
        if (driver <= 0 || major <= driver / 1000)
            library = open_major(major);
    if (library && !find_functions()) {
        dlclose(library);
        library = NULL;
    }
}

int ss_cuda_compiler_version(void)
{
    int major = 0, minor = 0;
    pthread_mutex_lock(&lock);
    if (library)
        nvrtc.version(&major, &minor);
    pthread_mutex_unlock(&lock);
    return 1000 * major + 10 * minor;
}

int ss_cuda_compiler_open(int driver, int *version, ss_err *err)
{
    pthread_mutex_lock(&lock);
    if (!library)
        open_library(driver);
    pthread_mutex_unlock(&lock);
    *version = ss_cuda_compiler_version();
    if (*version > 0)
        return SS_OK;
    int newest = driver <= 0 || driver >= 13000 ? 13 : 12;
    return ss_fail_outside(err,
                           "kernels are compiled by NVRTC %d, which is not here: install "
                           "cuda-nvrtc-%d-0 of NVIDIA's repository, or nvidia-cuda-nvrtc%s by pip",
                           newest, newest, newest == 12 ? "-cu12" : "");
}

int ss_cuda_compiler_knows(int capability)
{
    int best = 0;
    for (int i = 0; i < nknown; i++)
        if (known[i] <= capability)
            best = known[i];
    return best;
}

/* --- compiling -------------------------------------------------------------------------------- */

/* --fmad=false: no contraction, so that results equal the CPU's bit for bit. -default-device: the
 * functions of shared headers are device functions. */
static const char *const options[] = {"--std=c++17", "--fmad=false", "-lineinfo", "-default-device",
                                      "--ptxas-options=-v"};
enum { NOPTIONS = sizeof options / sizeof *options };
const char ss_cuda_options[] = "--std=c++17 --fmad=false -lineinfo -default-device";

/* The first error in what the compiler said, without its line end. */
static const char *first_error(char *log)
{
    char *error = strstr(log, "error");
    if (!error)
        error = log;
    while (error > log && error[-1] != '\n')
        error--;
    error[strcspn(error, "\n")] = '\0';
    return error;
}

static char *log_of(program p)
{
    size_t size = 0;
    char *text = NULL;
    if (nvrtc.log_size(p, &size) == 0 && (text = calloc(1, size + 1)))
        nvrtc.log_text(p, text);
    return text;
}

/* The number before `unit` in what ptxas says of the kernel of that name; 0: it says none. */
static int said_of(const char *log, const char *name, const char *unit)
{
    char begin[600];
    snprintf(begin, sizeof begin, "entry function '%.500s'", name);
    const char *kernel = log ? strstr(log, begin) : NULL;
    const char *at = kernel ? strstr(kernel, unit) : NULL;
    const char *next = kernel ? strstr(kernel + 1, "entry function '") : NULL;
    if (!at || (next && at > next))
        return 0;
    while (at > log && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return atoi(at);
}

static int take_code(program p, const ss_cuda_source *source, bool ptx, const char *log,
                     ss_cuda_image *out, ss_err *err)
{
    const char *name = NULL;
    int code = nvrtc.entry_name(p, source->entry, &name);
    if (code == 0)
        code = (ptx ? nvrtc.ptx_size : nvrtc.code_size)(p, &out->bytes);
    if (code != 0)
        return ss_fail(err, "NVRTC: %s", nvrtc.words(code));
    out->registers = ptx ? -1 : said_of(log, name, " registers");
    out->local = ptx ? -1 : said_of(log, name, " bytes stack frame");
    out->shared = ptx ? -1 : said_of(log, name, " bytes smem");
    out->name = strdup(name);
    out->code = malloc(out->bytes + 1);
    if (!out->name || !out->code || (ptx ? nvrtc.ptx : nvrtc.code)(p, out->code) != 0)
        return ss_fail(err, "out of memory");
    return SS_OK;
}

static int compile(program p, const ss_cuda_source *source, ss_cuda_target target,
                   ss_cuda_image *out, char **log, ss_err *err)
{
    char arch[48];
    const char *all[NOPTIONS + 1];
    memcpy(all, options, sizeof options);
    all[NOPTIONS] = arch;
    snprintf(arch, sizeof arch, "--gpu-architecture=%s_%d", target.ptx ? "compute" : "sm",
             target.capability);
    int code = nvrtc.add_entry(p, source->entry);
    if (code == 0)
        code = nvrtc.compile(p, NOPTIONS + 1, all);
    char *said = log_of(p);
    if (log)
        *log = said ? strdup(said) : NULL;
    if (code != 0)
        ss_fail(err, "%s: %.240s", nvrtc.words(code), said ? first_error(said) : "");
    int status = code == 0 ? take_code(p, source, target.ptx, said, out, err) : SS_FAIL;
    free(said);
    return status;
}

int ss_cuda_compile(const ss_cuda_source *source, ss_cuda_target target, ss_cuda_image *out,
                    char **log, ss_err *err)
{
    texts t;
    program p = NULL;
    char main_text[512];
    double began = ss_clock();
    *out = (ss_cuda_image){0};
    if (log)
        *log = NULL;
    if (collect(&t, source->file, err) != SS_OK)
        return SS_FAIL;
    snprintf(main_text, sizeof main_text, "#include \"%s\"\n", source->file);
    pthread_mutex_lock(&lock);
    int code = nvrtc.create(&p, main_text, "kernel.cu", t.count, (const char *const *)t.text,
                            (const char *const *)t.name);
    int status = code == 0 ? compile(p, source, target, out, log, err)
                           : ss_fail(err, "NVRTC: %s", nvrtc.words(code));
    if (p)
        nvrtc.destroy(&p);
    pthread_mutex_unlock(&lock);
    free_texts(&t);
    out->seconds = ss_clock() - began;
    out->version = ss_cuda_compiler_version();
    if (status != SS_OK) {
        free(out->name);
        free(out->code);
        *out = (ss_cuda_image){0};
    }
    return status;
}
