/*
 * Block smoothers on the GPU, see methods.h: which blocks are relaxed by which launch, with which
 * inverse. Engine thread.
 *
 * Blocks are listed launch by launch, and kernels find theirs in the list. Blocks of one shape and
 * level make a launch; the remainder at the upper ends of a patch, where the block does not divide
 * it, has shapes of its own. Blocks of all patches, of whatever sizes, share launches.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/smooth/plan.h"

static const ss_smooth_method *const methods[] = {&ss_smooth_separable, &ss_smooth_paper};

static const ss_smooth_method *find_method(const ss_inverse_form *form)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (methods[i]->form == form)
            return methods[i];
    return NULL;
}

/* --- listing ---------------------------------------------------------------------------------- */

#define LARGEST_ARRAY ((size_t)UINT32_MAX)

/* Visits blocks in one order, twice: to count them, then to place them. Patches of equal extent
 * have the same blocks: only the first of them is counted, `alike` times. */
typedef struct lister {
    ss_cuda_smooth *s;
    int levels;
    uint32_t alike;
    uint32_t *count;       /* by level, shape and colour; then the index of the next one's place */
    ss_block_place *place; /* NULL while counting */
} lister;

static int colours(const ss_cuda_smooth *s)
{
    return s->how.order == SS_CUDA_CHAOTIC ? 4 : 1;
}

static int shape_index(ss_cuda_smooth *s, const int n[3], int cube)
{
    for (int i = 0; i < s->shapes; i++)
        if (memcmp(s->shape[i].n, n, sizeof s->shape[i].n) == 0 && s->shape[i].cube == cube)
            return i;
    ss_smooth_shape *shape = &s->shape[s->shapes];
    memset(shape, 0, sizeof *shape);
    memcpy(shape->n, n, sizeof shape->n);
    shape->cube = cube;
    return s->shapes++;
}

/* The colour of a block in chaotic order, see methods.h: adjacent blocks have different ones. */
static int colour_of(const int at[3])
{
    int odd = at[0] % 2 + 2 * (at[1] % 2) + 4 * (at[2] % 2);
    return odd < 4 ? odd : 7 - odd;
}

/* What becomes a place: cells of patch q, `cubes` of them side by side if they are cubes. */
typedef struct visited {
    const ss_patch *patch; /* the list */
    int q, cubes;
    int cell[3], cells[3];
} visited;
typedef void visit_fn(lister *l, int level, int shape, int colour, const visited *v);

/* The element of the first cell beyond side `side` of a box of cells: in the patch, in its ghosts
 * or, if blocks read the neighbour patches' cells, in the neighbour, whose layout is the same. */
static uint32_t beyond(const ss_cuda_smooth *s, const visited *v, int side)
{
    const ss_patch *patch = &v->patch[v->q];
    const ss_box *b = &patch->box;
    const int n[3] = {b->nx, b->ny, b->nz}, d = side / 2, upper = side % 2;
    const ptrdiff_t stride[3] = {1, b->sy, b->sz};
    int to[3] = {v->cell[0], v->cell[1], v->cell[2]}, other = patch->side[side];
    int end = v->cell[d] + v->cells[d];
    bool outside = upper ? end == n[d] : v->cell[d] == 0;
    bool crosses = s->direct && outside && other != SS_WALL_SIDE;
    to[d] = upper ? end : v->cell[d] - 1;
    if (crosses)
        to[d] = upper ? 0 : n[d] - 1;
    ptrdiff_t first = (ptrdiff_t)v->patch[crosses ? other : v->q].box.first;
    return (uint32_t)(first + to[0] + to[1] * stride[1] + to[2] * stride[2]);
}

static ss_block_place place_of(const ss_cuda_smooth *s, const visited *v)
{
    const ss_box *b = &v->patch[v->q].box;
    ss_block_place p;
    p.first =
        (uint32_t)((ptrdiff_t)b->first + v->cell[0] + v->cell[1] * b->sy + v->cell[2] * b->sz);
    p.sy = (int)b->sy;
    p.sz = (int)b->sz;
    p.cubes = v->cubes;
    for (int side = 0; side < 6; side++)
        p.beyond[side] = beyond(s, v, side);
    return p;
}

/* 0: the kernel takes single cubes. */
static int most_in_bar(const ss_cuda_smooth *s, int cube)
{
    return cube > 0 && s->method->bar ? s->method->bar(cube, s->how.prec, s->how.order) : 0;
}

/* Cubes that are one place, at most. */
static int bar_of(const ss_cuda_smooth *s, int cube)
{
    int bar = most_in_bar(s, cube);
    if (bar > 0 && s->how.width > 0 && s->how.width < bar)
        bar = s->how.width;
    return bar > 0 ? bar : 1;
}

static void visit_block(lister *l, const ss_patch *patch, int q, const ss_blocking *b,
                        uint32_t block, int cube, visit_fn *visit)
{
    const ss_cuda_order order = l->s->how.order;
    const int bar = bar_of(l->s, cube), each = cube / b->size[0]; /* blocks along a cube */
    int at[3], cells[3], sum = 0;
    visited v = {patch, q, 1, {0}, {0}};
    bool whole = cube > 0, begins = true;
    ss_blocking_place(b, block, at);
    for (int d = 0; d < 3; d++) {
        int step = d == 0 ? each * bar : each;
        v.cell[d] = at[d] * b->size[d];
        whole = whole && v.cell[d] < b->n[d] / cube * cube;
        begins = begins && (each == 0 || at[d] % step == 0);
        sum += at[d];
    }
    if (whole && !begins) /* its cube or bar is listed already */
        return;
    ss_blocking_shape(b, ss_blocking_variant(b, block), cells);
    memcpy(v.cells, cells, sizeof cells);
    if (whole) {
        int left = b->n[0] / cube - v.cell[0] / cube;
        v.cubes = left < bar ? left : bar;
        v.cells[0] = v.cubes * cube;
        v.cells[1] = v.cells[2] = cube;
    }
    /* In lexicographic order a block's level is one more than that of its lower neighbours. */
    visit(l, order == SS_CUDA_LEXICOGRAPHIC ? sum : 0, shape_index(l->s, cells, whole ? cube : 0),
          order == SS_CUDA_CHAOTIC ? colour_of(at) : 0, &v);
}

static int cube_of(const ss_cuda_smooth *s, const ss_blocking *b)
{
    bool same = b->size[0] == b->size[1] && b->size[1] == b->size[2];
    return same && s->method->cube ? s->method->cube(b->size[0], s->how.order) : 0;
}

static void visit_patch(lister *l, const ss_patch *patch, int q, visit_fn *visit)
{
    const int n[3] = {patch[q].box.nx, patch[q].box.ny, patch[q].box.nz};
    ss_blocking b = ss_blocking_make(n, l->s->how.block);
    int cube = cube_of(l->s, &b);
    for (uint32_t block = 0; block < ss_blocking_total(&b); block++)
        visit_block(l, patch, q, &b, block, cube, visit);
}

static void visit_all(lister *l, const ss_patch *patch, int patches, visit_fn *visit)
{
    for (int q = 0; q < patches; q++)
        visit_patch(l, patch, q, visit);
}

static bool same_extent(const ss_box *a, const ss_box *b)
{
    return a->nx == b->nx && a->ny == b->ny && a->nz == b->nz;
}

/* One patch of each extent. */
static void visit_extents(lister *l, const ss_patch *patch, int patches, visit_fn *visit)
{
    for (int q = 0; q < patches; q++) {
        bool first = true;
        l->alike = 0;
        for (int other = 0; other < patches; other++) {
            bool same = same_extent(&patch[q].box, &patch[other].box);
            first = first && !(same && other < q);
            l->alike += same;
        }
        if (first)
            visit_patch(l, patch, q, visit);
    }
}

/* Can blocks read the neighbour patches' cells? All of them must be parts of bars, and neighbours
 * be alike. */
static bool can_be_direct(const ss_cuda_smooth *s, const ss_patch *patch, int patches)
{
    for (int q = 0; q < patches; q++) {
        const ss_box *box = &patch[q].box;
        const int n[3] = {box->nx, box->ny, box->nz};
        ss_blocking b = ss_blocking_make(n, s->how.block);
        int cube = cube_of(s, &b);
        if (most_in_bar(s, cube) == 0 || n[0] % cube || n[1] % cube || n[2] % cube)
            return false;
        for (int side = 0; side < 6; side++) {
            int other = patch[q].side[side];
            const ss_box *o = other == SS_WALL_SIDE ? box : &patch[other].box;
            if (o->nx != box->nx || o->ny != box->ny || o->nz != box->nz || o->sy != box->sy ||
                o->sz != box->sz)
                return false;
        }
    }
    return true;
}

/* A visit before these two finds the number of levels and the shapes. */
static void find_level(lister *l, int level, int shape, int colour, const visited *v)
{
    (void)shape, (void)colour, (void)v;
    l->levels = level >= l->levels ? level + 1 : l->levels;
}

static uint32_t *counter(lister *l, int level, int shape, int colour)
{
    return &l->count[(level * l->s->shapes + shape) * colours(l->s) + colour];
}

static void count_places(lister *l, int level, int shape, int colour, const visited *v)
{
    (void)v;
    *counter(l, level, shape, colour) += l->alike;
}

static void put_place(lister *l, int level, int shape, int colour, const visited *v)
{
    l->place[(*counter(l, level, shape, colour))++] = place_of(l->s, v);
}

/* Turns counts into first places; the places of one level and shape make a launch. */
static uint32_t make_launches(lister *l)
{
    ss_cuda_smooth *s = l->s;
    uint32_t at = 0;
    for (int level = 0; level < l->levels; level++)
        for (int shape = 0; shape < s->shapes; shape++) {
            uint32_t first = at;
            for (int c = 0; c < colours(s); c++) {
                uint32_t *n = counter(l, level, shape, c), count = *n;
                *n = at;
                at += count;
            }
            if (at > first) {
                ss_smooth_launch *launch = &s->launch[s->launches++];
                launch->shape = shape;
                launch->first = first;
                launch->count = at - first;
            }
        }
    return at;
}

static int list_blocks(ss_cuda_smooth *s, lister *l, const ss_patch *patch, int patches,
                       ss_err *err)
{
    visit_extents(l, patch, patches, find_level);
    size_t keys = (size_t)l->levels * (size_t)s->shapes;
    l->count = ss_alloc(keys * (size_t)colours(s) * sizeof *l->count, "counts of blocks", err);
    s->launch = ss_alloc(keys * sizeof *s->launch, "launches", err);
    if (!l->count || !s->launch)
        return SS_FAIL;
    ss_cuda_list_begin(&s->kernels, s->launch, keys * sizeof *s->launch);
    visit_extents(l, patch, patches, count_places);
    size_t total = make_launches(l);
    l->place = ss_alloc(total * sizeof *l->place, "the blocks of the patches", err);
    if (!l->place)
        return SS_FAIL;
    visit_all(l, patch, patches, put_place);
    return ss_cuda_keep_copy(&s->kept, (void **)&s->place, l->place, total * sizeof *l->place,
                             "the blocks of the patches", err);
}

/* --- bars of equal patches -------------------------------------------------------------------- */

#define MOST_BLOCKS_YZ 65535 /* of a grid in y and in z */

/* False: numbers below `numbers` are too large for ss_divide. */
static bool make_divisor(ss_divisor *d, int count, double numbers)
{
    d->count = count;
    d->by = count > 0 ? ((1U << 31) + (uint32_t)count - 1) / (uint32_t)count : 0;
    return count > 0 && numbers * count < 0x1p31;
}

/* Patches from the first one upwards in direction d. */
static int patches_along(const ss_patch *patch, int patches, int d)
{
    int n = 1;
    for (int q = patch[0].side[2 * d + 1]; q != SS_WALL_SIDE && n < patches;
         q = patch[q].side[2 * d + 1])
        n++;
    return n;
}

/* The bars, if patches are a box of equal ones; whether they are is not known yet. False: they
 * certainly are not, or have no bars, or more than a grid has blocks. */
static bool guess_bars(const ss_cuda_smooth *s, const ss_patch *patch, int patches, int cube,
                       ss_bars *bars)
{
    const ss_box *box = &patch[0].box;
    const int n[3] = {box->nx, box->ny, box->nz};
    const ptrdiff_t across[3] = {1, box->sy, box->sz};
    ptrdiff_t next = patches > 1 ? (ptrdiff_t)(patch[1].box.first - box->first) : 0;
    int along[3];
    bool neighbours = false;
    *bars = (ss_bars){0};
    bars->cubes = bar_of(s, cube);
    bars->cubes_x = n[0] / cube;
    bars->x = ceil_div(bars->cubes_x, bars->cubes);
    bars->y = n[1] / cube;
    bars->first = (uint32_t)box->first;
    bars->stride = (uint32_t)next;
    bars->sy = (int)box->sy;
    bars->sz = (int)box->sz;
    for (int d = 0; d < 3; d++) {
        along[d] = patches_along(patch, patches, d);
        neighbours = neighbours || along[d] > 1;
        bars->jump[d] = (uint32_t)(n[d] * across[d] - next);
        next *= along[d];
    }
    bars->direct = s->direct && neighbours; /* patches without any lie one after the other */
    bars->patches_z = along[2];
    const double planes = (double)(n[2] / cube) * patches;
    return bars->x > 0 && bars->y > 0 && bars->y <= MOST_BLOCKS_YZ && planes <= MOST_BLOCKS_YZ &&
           make_divisor(&bars->z, n[2] / cube, planes) &&
           make_divisor(&bars->patch[0], along[0], patches) &&
           make_divisor(&bars->patch[1], along[1], patches);
}

static bool same_place(const ss_block_place *a, const ss_block_place *b)
{
    return a->first == b->first && a->sy == b->sy && a->sz == b->sz && a->cubes == b->cubes &&
           memcmp(a->beyond, b->beyond, sizeof a->beyond) == 0;
}

/* Is each place of a launch what the formula says? */
static bool follow(const ss_bars *bars, int patches, const ss_block_place *listed, uint32_t count)
{
    const uint32_t planes = (uint32_t)(bars->z.count * patches), row = (uint32_t)bars->x,
                   plane = row * (uint32_t)bars->y;
    if (count != plane * planes)
        return false;
    for (uint32_t k = 0; k < count; k++) {
        ss_block_place place = ss_bar_place(bars, (int)(k % row),
                                            (int)(k / row % (uint32_t)bars->y), (int)(k / plane));
        if (!same_place(&place, &listed[k]))
            return false;
    }
    return true;
}

/* Gives the launch of bars what their places follow from, if they do. */
static void add_bars(ss_cuda_smooth *s, const ss_patch *patch, int patches,
                     const ss_block_place *listed)
{
    const ss_box *box = &patch[0].box;
    const int n[3] = {box->nx, box->ny, box->nz};
    const ss_blocking b = ss_blocking_make(n, s->how.block);
    const int cube = cube_of(s, &b);
    ss_bars bars;
    if (most_in_bar(s, cube) == 0 || !guess_bars(s, patch, patches, cube, &bars))
        return;
    for (int i = 0; i < s->launches; i++) {
        ss_smooth_launch *l = &s->launch[i];
        if (s->shape[l->shape].cube > 0 && follow(&bars, patches, listed + l->first, l->count))
            l->bars = bars;
    }
}

/* Rounds the number of bars that a thread block looks ahead to whole rows. */
static void look_ahead(ss_smooth_launch *l)
{
    ss_bars *b = &l->bars;
    const int rows = (l->ahead + b->x / 2) / b->x, planes = rows / b->y;
    const uint32_t height = BAR_CELLS * (uint32_t)b->sy, depth = BAR_CELLS * (uint32_t)b->sz;
    l->ahead = rows * b->x;
    b->later_y = rows % b->y;
    b->later_z = planes % b->z.count;
    b->later = (uint32_t)b->later_y * height + (uint32_t)b->later_z * depth +
               (uint32_t)(planes / b->z.count) * b->stride;
    b->wrap_y = depth - (uint32_t)b->y * height;
    b->wrap_z = b->stride - (uint32_t)b->z.count * depth;
}

/* --- making ----------------------------------------------------------------------------------- */

#define DEFAULT_SHARED (48 << 10) /* bytes per thread block that need no permission */

/* Raises a kernel's limit of dynamic shared memory to what the device has left beside the kernel's
 * static part, or says that this is too little. */
static int allow_shared(const ss_smooth_shape *shape, const ss_cuda_kernel *k, ss_err *err)
{
    ss_cuda_limits limits;
    char need[32], most[32];
    const int *n = shape->n;
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    size_t own = (size_t)ss_cuda_kernel_attribute(k, SS_CU_STATIC_SHARED);
    if (k->shared + own <= DEFAULT_SHARED)
        return SS_OK;
    size_t left = limits.block_bytes - own;
    if (k->shared > left)
        return ss_fail(err,
                       "block %dx%dx%d: a thread block needs %s of shared memory, %s has %s for "
                       "it: choose a smaller block",
                       n[0], n[1], n[2], ss_format_bytes((double)k->shared, need, sizeof need),
                       limits.name, ss_format_bytes((double)left, most, sizeof most));
    return ss_cuda_kernel_raise(k, err);
}

/* Nothing where no kernel runs: a dense inverse may take minutes. */
static int invert_shapes(ss_cuda_smooth *s, ss_err *err)
{
    if (ss_cu_is_dry())
        return SS_OK;
    for (int i = 0; i < s->shapes; i++) {
        ss_inverse inv;
        double started = ss_clock();
        if (ss_inverse_make(&inv, s->how.form, s->shape[i].n, s->how.prec, err) != SS_OK)
            return SS_FAIL;
        s->seconds += ss_clock() - started;
        s->bytes += inv.form->bytes(&inv);
        int status = s->method->load(s, &s->shape[i], &inv, err);
        ss_inverse_free(&inv);
        if (status != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* Thread blocks of a launch. Chaotic Gauss-Seidel: the grid is capped at 3/16 of them, so that most
 * updates already see relaxed neighbours (methods.h). */
static ss_cu_dim grid_of(const ss_cuda_smooth *s, const ss_smooth_launch *l)
{
    const ss_bars *b = &l->bars;
    uint32_t all = (uint32_t)ceil_div(l->count, l->width),
             most = (uint32_t)(3 * (uint64_t)all / 16);
    if (b->cubes > 0)
        return (ss_cu_dim){(unsigned)b->x, (unsigned)b->y, all / (unsigned)(b->x * b->y)};
    return (ss_cu_dim){s->how.order != SS_CUDA_CHAOTIC ? all : most < 1 ? 1 : most, 1, 1};
}

static int plan_launch(ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err)
{
    if (s->method->find(s, l, err) != SS_OK)
        return SS_FAIL;
    if (l->bars.cubes > 0)
        look_ahead(l);
    const ss_cu_dim blocks = grid_of(s, l);
    l->partial = s->partials;
    s->partials += blocks.x * blocks.y * blocks.z;
    for (int norm = 0; norm <= ss_smooth_has_norm(s); norm++) {
        l->kernel[norm].blocks = blocks;
        if (allow_shared(&s->shape[l->shape], &l->kernel[norm], err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static int plan_launches(ss_cuda_smooth *s, ss_err *err)
{
    for (int i = 0; i < s->launches; i++)
        if (plan_launch(s, &s->launch[i], err) != SS_OK)
            return SS_FAIL;
    if (ss_smooth_has_norm(s) && ss_cuda_sums_find(&s->sums, err) != SS_OK)
        return SS_FAIL;
    return ss_cuda_keep(&s->kept, (void **)&s->partial, s->partials * sizeof *s->partial, "a norm",
                        err);
}

static int make(ss_cuda_smooth *s, const ss_patch *patch, int patches, ss_err *err)
{
    lister l = {s, 0, 0, NULL, NULL};
    size_t last = 0;
    s->method = find_method(s->how.form);
    if (!s->method)
        return ss_fail(err, "inverse %s has no kernel", s->how.form->name);
    for (int q = 0; q < patches; q++) {
        size_t end = patch[q].box.first + patch[q].box.count;
        last = end > last ? end : last;
    }
    if (last > LARGEST_ARRAY)
        return ss_fail(err, "the patches have %zu cells, the GPU's kernels address %zu at most",
                       last, LARGEST_ARRAY);
    s->shape = ss_alloc((size_t)patches * (SS_BLOCK_VARIANTS + 1) * sizeof *s->shape,
                        "shapes of blocks", err);
    s->direct = s->how.direct && can_be_direct(s, patch, patches);
    int status = s->shape ? list_blocks(s, &l, patch, patches, err) : SS_FAIL;
    if (status == SS_OK)
        add_bars(s, patch, patches, l.place);
    free(l.count);
    free(l.place);
    return status == SS_OK && plan_launches(s, err) == SS_OK ? invert_shapes(s, err) : SS_FAIL;
}

int ss_cuda_smooth_make(ss_cuda_smooth **out, const ss_patch *patch, int patches,
                        const ss_cuda_smooth_how *how, ss_err *err)
{
    *out = NULL;
    if (ss_cuda_probe(err) != SS_OK)
        return SS_FAIL;
    ss_cuda_smooth *s = ss_alloc(sizeof *s, "a smoother", err);
    if (!s)
        return SS_FAIL;
    s->how = *how;
    if (make(s, patch, patches, err) != SS_OK) {
        ss_cuda_smooth_free(s);
        return SS_FAIL;
    }
    *out = s;
    return SS_OK;
}

void ss_cuda_smooth_free(ss_cuda_smooth *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->shapes; i++)
        free(s->shape[i].argument);
    ss_cuda_kept_free(&s->kept);
    free(s->shape);
    ss_cuda_list_end(&s->kernels);
    free(s->launch);
    free(s);
}

double ss_cuda_smooth_seconds(const ss_cuda_smooth *s)
{
    return s->seconds;
}

bool ss_cuda_smooth_direct(const ss_cuda_smooth *s)
{
    return s->direct;
}

/* --- a step ----------------------------------------------------------------------------------- */

/* relaxation<T> of cubes.cuh. */
typedef struct relaxation {
    const void *in, *rhs;
    void *out;
    const ss_block_place *place;
    int count, ahead;
    ss_cuda_real omega;
    double *partial;
    const int *stop;
} relaxation;

static void launch(const ss_cuda_smooth *s, const ss_smooth_launch *l, const ss_smooth_step_args *a)
{
    const ss_smooth_shape *shape = &s->shape[l->shape];
    relaxation r = {
        .in = a->in,
        .rhs = a->rhs,
        .out = a->out,
        .place = s->place + l->first,
        .count = (int)l->count,
        .ahead = l->ahead,
        .omega = ss_cuda_real_of(s->how.prec, a->omega),
        .partial = s->partial + l->partial,
        .stop = a->stop,
    };
    ss_cuda_launch_kernel(&l->kernel[a->norm], a->stream,
                          SS_ARGUMENTS(&r, shape->argument, &shape->table, &a->norm, &l->bars));
}

void ss_smooth_relax(const ss_cuda_smooth *s, const ss_smooth_step_args *a)
{
    for (int i = 0; i < s->launches; i++)
        launch(s, &s->launch[i], a);
}

int ss_cuda_smooth_step(const ss_cuda_smooth *s, double omega, const void *in, const void *rhs,
                        void *out, double *norm2, ss_cu_stream stream, ss_err *err)
{
    ss_smooth_step_args a = {omega, in, rhs, out, norm2 != NULL, stream, NULL};
    if (norm2 && !ss_smooth_has_norm(s))
        return ss_fail(
            err, "only blocks that are relaxed at once give the norm of the field they start from");
    ss_smooth_relax(s, &a);
    if (norm2)
        ss_cuda_sums_add(&s->sums, s->partial, s->partials, norm2, stream);
    SS_CUDA(ss_cuda_launch_error());
    return SS_OK;
}
