/* Kernels by name, and their launches: see loader.h. */
#include "kernels/cuda/device/loader.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/compiler.h"
#include "kernels/cuda/device/check.h"
#include "kernels/cuda/device/driver.h"
#include "src/base/text.h"
#include "src/core/run.h"
#include "kernels/cuda/device/names.h"

#define OLDEST 75 /* compute capability that the kernels need */

_Thread_local bool ss_cuda_in_order;

/* --- devices ---------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define DRY SS_CUDA_PRESENT_MAX /* the device that is not there: driver.h */

static struct {
    ss_cu_context context; /* NULL: the device was not used yet; protected by lock */
    ss_cuda_target target; /* constant after ss_cuda_loader_open */
} devices[SS_CUDA_PRESENT_MAX + 1];
static int driver_version;
static _Thread_local bool passes_over; /* kernels that another process compiles */
static _Thread_local bool only_loads;  /* kernels that are on disk */
static _Thread_local int current = -1; /* device of this thread */

/* Makes the context of a device, unless it exists. */
static int make_context(int device)
{
    int code = 0;
    pthread_mutex_lock(&lock);
    if (!devices[device].context)
        code = ss_cu->context_retain(&devices[device].context, device);
    pthread_mutex_unlock(&lock);
    return code;
}

void ss_cuda_use(int device)
{
    if (device == current || ss_cu_is_absent())
        return;
    bool made = make_context(device) == 0;
    ss_cu->context_use(made ? devices[device].context : NULL);
    current = made ? device : -1;
}

int ss_cuda_enable_peer(int device, int peer, ss_err *err)
{
    SS_CUDA(make_context(peer));
    ss_cuda_use(device);
    int code = ss_cu->context_enable_peer(devices[peer].context, 0);
    SS_CUDA(code == SS_CU_PEER_ALREADY_ENABLED ? 0 : code);
    return SS_OK;
}

int ss_cuda_current(void)
{
    return current < 0 ? 0 : current;
}

/* Whose target and kernels the thread uses. */
static int slot(void)
{
    return ss_cu_is_absent() ? DRY : ss_cuda_current();
}

ss_cuda_target ss_cuda_target_here(void)
{
    return devices[slot()].target;
}

bool ss_cuda_is_hopper(void)
{
    return devices[slot()].target.capability >= 90;
}

int ss_cuda_attribute(int attribute)
{
    int value = 0;
    ss_cu->device_attribute(&value, attribute, ss_cuda_current());
    return value;
}

/* STENCILSCOPE_CUDA_PTX=75: PTX of 7.5 for every GPU, which the driver compiles. For tests. */
static ss_cuda_target choose_target(int capability, int known)
{
    const char *asked = getenv("STENCILSCOPE_CUDA_PTX");
    ss_cuda_target t = {capability, false};
    if (asked && atoi(asked) >= OLDEST)
        t = (ss_cuda_target){atoi(asked), true};
    else if (known > 0 && known < capability)
        t = (ss_cuda_target){known, known / 10 != capability / 10};
    return t;
}

/* *capability: of the device. */
static void find_target(int device, int version, int *capability)
{
    int major = 0, minor = 0, nvrtc = 0;
    ss_cu->device_attribute(&major, SS_CU_MAJOR, device);
    ss_cu->device_attribute(&minor, SS_CU_MINOR, device);
    *capability = 10 * major + minor;
    int known = ss_cuda_compiler_open(version, &nvrtc, NULL) == SS_OK
                    ? ss_cuda_compiler_knows(*capability)
                    : 0;
    devices[device].target = choose_target(*capability, known);
}

int ss_cuda_loader_open(int count, int version, ss_err *err)
{
    int first = ss_cuda_current(), capability[SS_CUDA_PRESENT_MAX], nvrtc;
    driver_version = version;
    for (int i = 0; i < count && i < SS_CUDA_PRESENT_MAX; i++)
        find_target(i, version, &capability[i]);
    if (capability[first] < OLDEST)
        return ss_fail(err, "this GPU has compute capability %d.%d: the kernels need 7.5 or newer",
                       capability[first] / 10, capability[first] % 10);
    int code = make_context(first);
    if (code != 0)
        return ss_fail(err, "no CUDA: %s", ss_cu_words(code));
    ss_cuda_use(first);
    /* Without a compiler there are the kernels on disk, if there are any. */
    return ss_cuda_cache_any() ? SS_OK : ss_cuda_compiler_open(version, &nvrtc, err);
}

/* --- kernels that are loaded ------------------------------------------------------------------ */

typedef struct loaded {
    struct loaded *next;
    int device;
    unsigned version; /* ss_cuda_text_version when it was compiled */
    ss_cuda_code code;
    ss_cu_function function;
} loaded;

static loaded *all; /* protected by lock; until the process ends */

static const loaded *find(int device, const ss_cuda_source *source)
{
    const loaded *found = NULL;
    unsigned version = ss_cuda_text_version();
    pthread_mutex_lock(&lock);
    for (loaded *l = all; l && !found; l = l->next)
        if (l->device == device && l->version == version &&
            strcmp(l->code.source.entry, source->entry) == 0 &&
            strcmp(l->code.source.file, source->file) == 0)
            found = l;
    pthread_mutex_unlock(&lock);
    return found;
}

static int keep(int device, unsigned version, const ss_cuda_source *source, ss_cu_function function,
                const loaded **out, ss_err *err)
{
    loaded *l = calloc(1, sizeof *l);
    if (l) {
        ss_cuda_source own = {ss_intern(source->file), ss_intern(source->entry)};
        *l = (loaded){NULL, device, version, {own, ss_cuda_defined(source)}, function};
        if (own.file && own.entry) {
            pthread_mutex_lock(&lock);
            l->next = all;
            all = l;
            pthread_mutex_unlock(&lock);
            *out = l;
            return SS_OK;
        }
        free(l);
    }
    return ss_fail(err, "out of memory");
}

/* What was found for another target is found no more. */
void ss_cuda_dry_begin(ss_cuda_target target, bool shares)
{
    passes_over = shares;
    pthread_mutex_lock(&lock);
    for (loaded *l = all; l; l = l->next)
        l->device = l->device == DRY ? -1 : l->device;
    pthread_mutex_unlock(&lock);
    devices[DRY].target = target;
    ss_cu_dry_begin(target.capability);
}

void ss_cuda_beside_begin(bool compiles)
{
    only_loads = !compiles;
    ss_cu_beside_begin();
}

void ss_cuda_dry_end(void)
{
    passes_over = only_loads = false;
    ss_cu_dry_end();
}

static void free_image(ss_cuda_image *image)
{
    free(image->name);
    free(image->code);
}

static int compile_now(const ss_cuda_source *source, ss_cuda_target target, const ss_cuda_key *key,
                       unsigned version, ss_cuda_image *image, ss_err *err)
{
    if (ss_cuda_compile(source, target, image, NULL, err) != SS_OK)
        return SS_FAIL;
    if (ss_cuda_text_version() == version) /* else the key is that of another text */
        ss_cuda_cache_write(key, image);
    return SS_OK;
}

/* In place of one that another process compiles. */
static int stand_in(ss_cuda_image *image)
{
    *image = (ss_cuda_image){.name = strdup(""), .code = strdup("")};
    return SS_OK;
}

static int compile(const ss_cuda_source *source, ss_cuda_target target, const ss_cuda_key *key,
                   unsigned version, ss_cuda_image *image, ss_err *err)
{
    int nvrtc;
    if (only_loads || (ss_cu_is_dry() && ss_run_unwanted()))
        return ss_fail(err, "%s is not compiled", source->entry);
    if (ss_cuda_compiler_open(driver_version, &nvrtc, err) != SS_OK)
        return SS_FAIL;
    int claim = ss_cuda_cache_claim(key, !passes_over);
    if (claim < 0 && passes_over)
        return stand_in(image);
    int status = ss_cuda_cache_read(key, image)
                     ? SS_OK
                     : compile_now(source, target, key, version, image, err);
    ss_cuda_cache_release(key, claim);
    return status;
}

/* Where there is no compiler: code of an older minor version of the capability, else PTX of an
 * older one, which the driver compiles. */
static bool read_alike(const ss_cuda_source *source, ss_cuda_target target, ss_cuda_image *image)
{
    for (int ptx = 0; ptx < 2; ptx++)
        for (int c = target.capability - !ptx; c >= (ptx ? OLDEST : target.capability / 10 * 10);
             c--) {
            ss_cuda_key key;
            if (ss_cuda_key_make(&key, source, (ss_cuda_target){c, ptx}, NULL) == SS_OK &&
                ss_cuda_cache_read(&key, image))
                return true;
        }
    return false;
}

/* Code for the current device: from the cache, or from the compiler. */
static int image_of(const ss_cuda_source *source, unsigned version, ss_cuda_image *image,
                    ss_err *err)
{
    ss_cuda_key key;
    ss_cuda_target target = devices[slot()].target;
    if (ss_cuda_key_make(&key, source, target, err) != SS_OK)
        return SS_FAIL;
    if (ss_cuda_cache_read(&key, image) ||
        compile(source, target, &key, version, image, err) == SS_OK)
        return SS_OK;
    return read_alike(source, target, image) ? SS_OK : SS_FAIL;
}

static int load(const ss_cuda_source *source, const loaded **out, ss_err *err)
{
    ss_cuda_image image;
    ss_cu_module module = NULL;
    ss_cu_function function = NULL;
    unsigned version = ss_cuda_text_version();
    if (image_of(source, version, &image, err) != SS_OK)
        return SS_FAIL;
    int code = ss_cuda_checked(
        ss_cu->module_load(&module, ss_cu_is_absent() ? (void *)&image : image.code));
    if (code == 0)
        code = ss_cu->module_function(&function, module, image.name);
    free_image(&image);
    SS_CUDA(code);
    if (ss_cuda_text_version() != version)
        return ss_fail(err, "the text of %s was changed while it was compiled", source->entry);
    return keep(slot(), version, source, function, out, err);
}

/* --- kernels of a run ------------------------------------------------------------------------- */

static ss_cuda_kernel_list *lists; /* protected by lock */

void ss_cuda_list_begin(ss_cuda_kernel_list *list, const void *memory, size_t bytes)
{
    list->memory = memory;
    list->bytes = bytes;
    pthread_mutex_lock(&lock);
    list->next = lists;
    lists = list;
    pthread_mutex_unlock(&lock);
}

void ss_cuda_list_end(ss_cuda_kernel_list *list)
{
    pthread_mutex_lock(&lock);
    for (ss_cuda_kernel_list **at = &lists; *at; at = &(*at)->next)
        if (*at == list) {
            *at = list->next;
            break;
        }
    pthread_mutex_unlock(&lock);
}

static bool lies_in(const ss_cuda_kernel_list *list, const ss_cuda_kernel *k)
{
    uintptr_t first = (uintptr_t)list->memory, at = (uintptr_t)k;
    return at >= first && at + sizeof *k <= first + list->bytes;
}

static void add_once(ss_cuda_kernel_list *list, const ss_cuda_kernel *k)
{
    for (int i = 0; i < list->count; i++)
        if (list->kernel[i] == k)
            return;
    if (list->count < SS_CUDA_LISTED)
        list->kernel[list->count++] = k;
}

static void list_kernel(const ss_cuda_kernel *k)
{
    pthread_mutex_lock(&lock);
    for (ss_cuda_kernel_list *l = lists; l; l = l->next)
        if (lies_in(l, k))
            add_once(l, k);
    pthread_mutex_unlock(&lock);
}

int ss_cuda_kernel_find(ss_cuda_kernel *k, const ss_cuda_source *source, ss_err *err)
{
    const loaded *l = find(slot(), source);
    k->device = ss_cuda_current();
    k->function = NULL;
    k->code = NULL;
    if (!l && load(source, &l, err) != SS_OK)
        return SS_FAIL;
    k->function = l->function;
    k->code = &l->code;
    list_kernel(k);
    return SS_OK;
}

int ss_cuda_kernel_get(ss_cuda_kernel *k, ss_err *err, const char *file, const char *entry, ...)
{
    char path[128], name[400];
    ss_cuda_source source = {path, name};
    va_list arguments;
    va_start(arguments, entry);
    int length = vsnprintf(name, sizeof name, entry, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "kernels/cuda/%s", file);
    if (length >= (int)sizeof name)
        return ss_fail(err, "the name of a kernel is too long: %.60s", name);
    return ss_cuda_kernel_find(k, &source, err);
}

#define ALWAYS_SHARED 49152 /* bytes per block that every kernel may have */

int ss_cuda_kernel_raise(const ss_cuda_kernel *k, ss_err *err)
{
    int most = ss_cuda_attribute(SS_CU_SHARED_PER_BLOCK);
    int own = ss_cuda_kernel_attribute(k, SS_CU_STATIC_SHARED);
    if (k->shared + (size_t)own <= ALWAYS_SHARED)
        return SS_OK;
    SS_CUDA(ss_cu->function_set(k->function, SS_CU_DYNAMIC_SHARED, most - own));
    return SS_OK;
}

int ss_cuda_kernel_allow(const ss_cuda_kernel *k, ss_err *err)
{
    if (ss_cuda_kernel_raise(k, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->function_set(k->function, SS_CU_SHARED_CARVEOUT, SS_CU_MOST_SHARED));
    return SS_OK;
}

static unsigned one(unsigned n)
{
    return n > 0 ? n : 1;
}

int ss_cuda_kernel_resident(const ss_cuda_kernel *k, int *blocks, ss_err *err)
{
    int threads = (int)(one(k->threads.x) * one(k->threads.y) * one(k->threads.z));
    SS_CUDA(ss_cu->occupancy(blocks, k->function, threads, k->shared));
    return SS_OK;
}

int ss_cuda_kernel_attribute(const ss_cuda_kernel *k, int attribute)
{
    int value = 0;
    ss_cu->function_attribute(&value, attribute, k->function);
    return value;
}

/* --- launches --------------------------------------------------------------------------------- */

static _Thread_local int launch_error;

void ss_cuda_note(int code)
{
    if (launch_error == 0)
        launch_error = code;
}

int ss_cuda_launch_error(void)
{
    int code = launch_error;
    launch_error = 0;
    return code;
}

static void wish(ss_cu_launch *launch, int id, int on)
{
    launch->wishes[launch->count].id = id;
    launch->wishes[launch->count++].value.on = on;
}

void ss_cuda_launch_kernel(const ss_cuda_kernel *k, ss_cu_stream stream,
                           const void *const arguments[])
{
    ss_cu_wish wishes[2] = {0};
    ss_cu_launch launch = {{one(k->blocks.x), one(k->blocks.y), one(k->blocks.z)},
                           {one(k->threads.x), one(k->threads.y), one(k->threads.z)},
                           (unsigned)k->shared,
                           stream,
                           wishes,
                           0};
    if (k->cooperative)
        wish(&launch, SS_CU_COOPERATIVE, 1);
    else if (devices[k->device].target.capability >= 90 && !ss_cuda_in_order && !k->ordinary)
        wish(&launch, SS_CU_OVERLAP, 1);
    if (k->cluster > 0) {
        wish(&launch, SS_CU_CLUSTER, 0);
        unsigned *size = wishes[launch.count - 1].value.cluster;
        size[0] = (unsigned)k->cluster;
        size[1] = size[2] = 1;
    }
    ss_cuda_use(k->device);
    ss_cuda_note(ss_cu->launch(&launch, k->function, (void **)(uintptr_t)arguments, NULL));
}

/* --- the store: ss_kernel_store of src/core/backend.h ----------------------------------------- */

/* Compiles by an NVRTC whose code the driver can load, if there is a driver. */
static int pretend(int capability, bool ptx, bool shares, ss_err *err)
{
    int version, driver = 0;
    if (ss_cu_driver_open(NULL) == SS_OK)
        ss_cu->driver_version(&driver);
    if (ss_cuda_compiler_open(driver, &version, err) != SS_OK)
        return SS_FAIL;
    if (ss_cuda_compiler_knows(capability) != capability)
        return ss_fail(err, "NVRTC %d.%d does not compile for compute capability %d.%d",
                       version / 1000, version % 1000 / 10, capability / 10, capability % 10);
    ss_cuda_dry_begin((ss_cuda_target){capability, ptx}, shares);
    return SS_OK;
}

static bool target(char *text, size_t size)
{
    ss_cuda_target t = ss_cuda_target_here();
    if (ss_cuda_probe(NULL) != SS_OK || ss_cuda_compiler_version() == 0 || !ss_cuda_cache_keeps() ||
        ss_cuda_text_version() > 0) /* children have the program's own texts */
        return false;
    snprintf(text, size, "%d%s", t.capability, t.ptx ? "-ptx" : "");
    return true;
}

const ss_kernel_store ss_cuda_kernel_store = {
    .target = target,
    .pretend = pretend,
    .beside = ss_cuda_beside_begin,
    .pretend_end = ss_cuda_dry_end,
    .each = ss_cuda_cache_each,
    .clear = ss_cuda_cache_clear,
    .edit = ss_cuda_edit,
    .edited = ss_cuda_edited,
};
