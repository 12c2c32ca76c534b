/*
 * Reads after `warp.cuh`. The swept rule's variant strip: a node is a warp, which computes its
 * diamond strip by strip, in registers. Device code.
 *
 * A strip leans: on each level it lies R points further left than on the level before. It consists
 * of the points whose x + R l, for local index x on level l, is in an interval of 32 P. Two strips,
 * a and b, of width 4 fill the diamond of block 8, R = 1, h = 4:
 *
 *     l = 7          b b         x + l = 10, 11
 *     6            b b b b       x + l = 8 .. 11
 *     5          a a b b b b     x + l = 6 .. 11
 *     4        a a a a b b b b   x + l = 4 .. 11
 *     3          a a a a b b     x + l = 4 .. 9
 *     2            a a a a       x + l = 4 .. 7
 *     1              a a         x + l = 4, 5
 *
 * Lane i has the same P values of x + R l on every level: its slots. So a slot is a point on one
 * level, and R points to the left of it on the next. What leaning is good for:
 *
 * - Neighbours come from the left only: a point at x needs x - R .. x + R of the level before,
 *   which are the slots 2R, 2R - 1 .. 0 on the left of its own. The first lane takes them from
 *   shared memory, where the last lane left them when it computed the strip on the left. No point
 *   is computed twice, and warps do not wait for each other within a diamond, for a node is a warp.
 * - Lanes enter the diamond at its lower right edge one after the other, 2R slots per level, and
 *   leave it at the upper left edge in the same order, h levels later. A lane that has left strip n
 *   goes on in strip n + 1, while lanes on its right are still in strip n. So a warp is always
 * full: only the lanes before the first and after the last strip of a node idle, and the pause
 * below.
 * - Few registers: a node's other points are in its two rows in shared memory, so that each warp
 *   has several points per lane and needs no other warp to hide latencies.
 *
 * On an H100, f64, a step takes 346 ns (heat), 1.73 us (KS) and 22.6 us (Euler) for 2^20 points, in
 * blocks of 1024, 1024 and 256; variant warp 865 ns, 3.59 us and 34.9 us.
 */
#ifndef SS_CUDA_SWEPT_STRIP_CUH
#define SS_CUDA_SWEPT_STRIP_CUH

#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/swept/fast/warp_step.cuh"

/* --- strips ----------------------------------------------------------------------------------- */

/*
 * A warp's time counts levels, and a round is the time between two strips of a lane. In round n, at
 * time t, slot group g (2R slots, a part of a lane, or several lanes) enters strip n if t = pause +
 * g, and leaves strip n - 1 if t = g. So a slot is `pause` levels without a strip. These are
 * necessary: in its last level a slot is read by its right neighbour, when it cannot hold a value
 * of the next strip yet. An even number: all lanes must be in the same stage of a time step.
 *
 *     t = 0 .. crossing + pause - 1          slots leave and enter
 *     t = crossing + pause .. period - 1     no slot does: all are in strip n
 *
 * Levels are unrolled in groups, the fewest (even) over which whole lanes leave and enter, and over
 * which an end of the line, which stands still, moves by whole lanes.
 */
template <class EQ, int POINTS> struct strip {
    typedef EQ E;
    typedef typename E::real T;
    static const int P = POINTS, R = E::radius, width = 32 * P;
    static const int edge = 2 * R;                 /* slots that enter and leave per level */
    static const int chunk = P < edge ? P : edge;  /* of them, in one lane */
    static const int group = P > edge ? P / R : 2; /* levels */
    static const int lanes = group * edge / P;     /* that enter and leave in a group */
    static const int crossing = width / edge;      /* levels in which all slots enter */
    static const int pause = group;
};

/*
 * A node's two rows, as in block.cuh, but row 1 shifted by R values: then the 2R slots of a chunk
 * are aligned on odd levels, too, which lie R points further left. For equations with fluxes also
 * the strip's left edge: see strip_step for Euler.
 */
template <class E> struct strip_rows {
    typedef typename E::real T;
    static const int edge_values = E::shared_values > 0 ? STRIP_EDGE : 0; /* per level */
    T *first;  /* row 0, field 0, index 0 */
    int width; /* values from field to field, with margins */

    static __device__ strip_rows of_warp(T *shared, int warp, int block)
    {
        const int values = strip_node_values(block, E::radius, E::fields, edge_values);
        return {shared + warp * values + ROW_MARGIN, strip_row_width(block)};
    }
    __device__ T *at(int row, int field, int x) const
    {
        return first + (row * E::fields + field) * width + x + row * E::radius;
    }
    /* The left edge's values on level l mod h. */
    __device__ T *edge(int l) const
    {
        return first - ROW_MARGIN + 2 * E::fields * width + l * edge_values;
    }
};

/* A strip as one of its lanes sees it, at the time when a group begins. */
template <class S> struct strip_lane {
    typedef typename S::E E;
    strip_rows<E> rows;
    int lane, height;
    int left_end, right_end; /* of the line: local indices of its first and last point; NOWHERE */
    int x;                   /* local index of the lane's first slot */
    int level;               /* mod h */
    ss_points<E, S::P> now, base; /* base: what stage 1 adds its change to */
};
#define NOWHERE (-(1 << 28))

/* --- a level ---------------------------------------------------------------------------------- */

/* Values of adjacent slots, 16 bytes at a time where they are a multiple of it. */
template <typename T, int N> static __device__ __forceinline__ void load_slots(const T *from, T *to)
{
    const int M = N % pack<T>::n ? 1 : pack<T>::n;
#pragma unroll
    for (int k = 0; k < N; k += M)
        load_points<M>(from + k, to + k);
}
template <typename T, int N>
static __device__ __forceinline__ void store_slots(T *to, const T *from)
{
    const int M = N % pack<T>::n ? 1 : pack<T>::n;
#pragma unroll
    for (int k = 0; k < N; k += M)
        store_points<M>(to + k, from + k);
}

/* A lane's slots with N more on their left, u[f][2R - N ..]: by shuffle, and from shared memory
 * where they are another strip's. J: levels since the group began. */
template <class S, int J, int N>
static __device__ __forceinline__ void gather_left(const strip_lane<S> &s,
                                                   typename S::T (&u)[S::E::fields][S::P + S::edge])
{
    typedef typename S::T T;
    const int P = S::P, C = N < S::chunk ? N : S::chunk;
#pragma unroll
    for (int f = 0; f < S::E::fields; f++) {
#pragma unroll
        for (int k = 0; k < P; k++)
            u[f][S::edge + k] = s.now.at[f][k];
#pragma unroll
        for (int c = 1; c <= N / C; c++) { /* chunk by chunk, each of one lane */
            T *to = &u[f][S::edge - c * C];
#pragma unroll
            for (int i = 0; i < C; i++)
                to[i] = shfl_up(s.now.at[f][P - C + i], c);
            if (s.lane < c)
                load_slots<T, C>(s.rows.at(J & 1, f, s.x - S::R * J - c * C), to);
        }
    }
}

/* The next level of a lane's slots: slot k becomes the point whose old slot is k - R. The general
 * form: no fluxes, and ends only where R = 1. */
template <class S> struct strip_step {
    typedef typename S::E E;
    typedef typename S::T T;
    static const int P = S::P;

    /* The ends of the line, mirrored. The first point of the line is in slot (J + 1) mod P of some
     * lane, the last one in slot J mod P: a group begins with both between two lanes. */
    template <int J>
    static __device__ __forceinline__ void mirror(const E &eq, const strip_lane<S> &s,
                                                  const ss_around<E, P> &u, ss_points<E, P> &v)
    {
        const int first = (J + 1) % P, last = J % P, x = s.x - J - 1;
        const T *a = &u.at[0][first], *b = &u.at[0][last];
        const ss_points<E, 1> none = {};
        const ss_around<E, 1> at_first = {{{x + first == s.left_end ? a[2] : a[0], a[1], a[2]}}};
        const ss_around<E, 1> at_last = {{{b[0], b[1], x + last == s.right_end ? b[0] : b[2]}}};
        v.at[0][first] = eq.next(0, at_first, none).at[0][0];
        v.at[0][last] = eq.next(0, at_last, none).at[0][0];
    }

    /* The last argument is Euler's. */
    template <int J, bool ENDS>
    static __device__ __forceinline__ void next(const E &eq, strip_lane<S> &s, bool)
    {
        const int stage = J % E::stages;
        ss_around<E, P> u;
        gather_left<S, J, S::edge>(s, u.at);
        s.now = eq.next(stage, u, s.base);
        if constexpr (ENDS)
            mirror<J>(eq, s, u, s.now);
        if (E::stages > 1 && stage == 0)
#pragma unroll
            for (int f = 0; f < E::fields; f++)
#pragma unroll
                for (int k = 0; k < P; k++) /* two levels later its slot is 2R further right */
                    s.base.at[f][k] = u.at[f][k];
    }

    static __device__ __forceinline__ void begin_node(const strip_lane<S> &)
    {
    }
};

/*
 * Euler. Each pressure and each flux is computed once, by the lane of its point, or of the point on
 * the left of its face. Slot k needs the fluxes through the faces k - 3 and k - 2, where face k is
 * the one on the right of (old) slot k, and face k needs the pressures k - 1 .. k + 2. So a lane
 * computes the faces -2 .. P - 3 and takes face -3 and the pressures -3 .. -1 from its left
 * neighbour, and the first lane takes them from the edge in shared memory: three pressures and the
 * three components of the flux per level, a ring of h levels. The last lane of a strip overwrites
 * the values of the level that the first lane of the same strip has just read.
 */
template <typename T, int LIMITER, int POINTS> struct strip_step<strip<euler<T, LIMITER>, POINTS>> {
    typedef euler<T, LIMITER> E;
    typedef strip<E, POINTS> S;
    static const int P = POINTS;

    /* p[i]: pressure of slot i - 3 */
    static __device__ __forceinline__ void pressures(const strip_lane<S> &s, const T *edge, T *p)
    {
#pragma unroll
        for (int k = 0; k < P; k++)
            p[k + 3] = euler1d_pressure(s.now.at[0][k], s.now.at[1][k], s.now.at[2][k]);
#pragma unroll
        for (int i = 1; i <= 3; i++) { /* slot -i is `lanes` lanes before */
            const int lanes = (i + P - 1) / P;
            p[3 - i] = shfl_up(p[3 + lanes * P - i], lanes);
            if (s.lane < lanes)
                p[3 - i] = edge[3 - i + s.lane * P];
        }
    }

    /* flux[i] through face i - 3, i = 1 .. P. Beyond an end of the line its pressure is repeated.
     */
    template <int J, bool ENDS>
    static __device__ __forceinline__ void fluxes(const strip_lane<S> &s, const T *p,
                                                  const T (&u)[3][P + 4], T (*flux_)[3])
    {
#pragma unroll
        for (int i = 1; i <= P; i++) { /* slots i - 3 and i - 2 adjoin the face */
            const int x = s.x - 2 * J + i - 3;
            const bool first = ENDS && x == s.left_end, last = ENDS && x + 1 == s.right_end;
            const T near[4] = {first ? p[i] : p[i - 1], p[i], p[i + 1], last ? p[i + 1] : p[i + 2]};
            flux<LIMITER>(near, u[0][i + 1], u[1][i + 1], u[2][i + 1], u[0][i + 2], u[1][i + 2],
                          u[2][i + 2], flux_[i]);
        }
    }

    /* last_lane: the next strip's first lane will read this lane's values. */
    template <int J, bool ENDS>
    static __device__ __forceinline__ void next(const E &eq, strip_lane<S> &s, bool last_lane)
    {
        const int stage = J % 2;
        T u[3][P + 4], p[P + 3], face[P + 1][3], *edge = s.rows.edge(s.level + J);
        /* A base needs four slots, because it is used two levels later. */
        gather_left<S, J, stage == 0 ? 4 : 2>(s, u);
        pressures(s, edge, p);
        fluxes<J, ENDS>(s, p, u, face);
#pragma unroll
        for (int f = 0; f < 3; f++) {
            face[0][f] = shfl_up(face[P][f]);
            if (s.lane == 0)
                face[0][f] = edge[3 + f];
        }
        __syncwarp(); /* the first lane has read what the last lane overwrites */
#pragma unroll
        for (int f = 0; f < 3 && last_lane; f++) {
            edge[f] = p[P + f];
            edge[3 + f] = face[P][f];
        }
#pragma unroll
        for (int f = 0; f < 3; f++)
#pragma unroll
            for (int k = 0; k < P; k++) {
                const int x = s.x - 2 * J + k - 2;
                const T old = u[f][k + 2], base = stage ? s.base.at[f][k] : old;
                const bool end = ENDS && (x == s.left_end || x == s.right_end);
                s.now.at[f][k] = end ? old : eq.change(stage, base, face[k][f], face[k + 1][f]);
                if (stage == 0)
                    s.base.at[f][k] = u[f][k];
            }
    }

    /* The edge of the first strip: from the points beside the lower left edge of the diamond. */
    static __device__ __forceinline__ void begin_node(const strip_lane<S> &s)
    {
        for (int l = s.lane; l < s.height; l += 32) {
            T q[3][4], p[4], *edge = s.rows.edge(l);
            for (int f = 0; f < 3; f++)
                for (int i = 0; i < 4; i++)
                    q[f][i] = *s.rows.at(l & 1, f, 2 * s.height - 2 * l - 4 + i);
            for (int i = 0; i < 4; i++)
                p[i] = euler1d_pressure(q[0][i], q[1][i], q[2][i]);
            for (int i = 0; i < 3; i++)
                edge[i] = p[1 + i];
            flux<LIMITER>(p, q[0][1], q[1][1], q[2][1], q[0][2], q[1][2], q[2][2], edge + 3);
        }
        __syncwarp();
    }
};

/* --- a group of levels ------------------------------------------------------------------------ */

/* Which lanes exchange values with the node's rows in a group. The counts are of the first lane
 * whose slots leave (enter); NO_LANE: none do. last: this lane's slots are read by the next strip's
 * first lane, or by the next diamond: it is the last lane of a strip, and in one. */
struct lane_moves {
    int leaves, enters;
    bool last;
};
#define NO_LANE 64

/* Before the level J of the group is left: what others will read is stored, and what enters is
 * loaded. MOVES: some slots leave or enter in this group. */
template <class S, bool MOVES, int J>
static __device__ __forceinline__ void exchange_slots(strip_lane<S> &s, lane_moves m)
{
    typedef typename S::T T;
    const int C = S::chunk, P = S::P, x = s.x - S::R * J;
#pragma unroll
    for (int f = 0; f < S::E::fields; f++) {
        ss_points<typename S::E, P> &v = s.now;
        if (m.last)
            store_slots<T, C>(s.rows.at(J & 1, f, x + P - C), &v.at[f][P - C]);
#pragma unroll
        for (int i = 0; MOVES && i < S::edge; i += C) {
            const int lane = (J * S::edge + i) / P, k = (J * S::edge + i) % P;
            if (s.lane == m.leaves + lane)
                store_slots<T, C>(s.rows.at(J & 1, f, x + k), &v.at[f][k]);
            if (s.lane == m.enters + lane)
                load_slots<T, C>(s.rows.at(J & 1, f, x + k), &v.at[f][k]);
        }
    }
}

/* Levels J .. group - 1 of a group. The recursion unrolls them, with J known at compile time. */
template <class S, bool MOVES, bool ENDS, int J = 0>
static __device__ __forceinline__ void advance_levels(const typename S::E &eq, strip_lane<S> &s,
                                                      lane_moves m)
{
    if constexpr (J < S::group) {
        __syncwarp(); /* lanes read and overwrite one another's values in the rows */
        exchange_slots<S, MOVES, J>(s, m);
        strip_step<S>::template next<J, ENDS>(eq, s, m.last && s.lane == 31);
        advance_levels<S, MOVES, ENDS, J + 1>(eq, s, m);
    }
}

/* May slots of the warp reach an end of the line in this group? */
template <class S> static __device__ __forceinline__ bool meets_end(const strip_lane<S> &s)
{
    const int reach = S::R * (S::group + 4);
    auto near = [&](int end) { return end >= s.x - reach && end <= s.x + S::P + reach; };
    return __any_sync(~0u, near(s.left_end) || near(s.right_end));
}

/* WALLS: the line ends within this node or beside it. */
template <class S, bool MOVES, bool WALLS>
static __device__ __forceinline__ void advance_group(const typename S::E &eq, strip_lane<S> &s,
                                                     lane_moves m)
{
    if (WALLS && meets_end(s))
        advance_levels<S, MOVES, WALLS>(eq, s, m);
    else
        advance_levels<S, MOVES, false>(eq, s, m);
    s.x -= S::R * S::group;
    s.level += S::group;
    s.level -= s.level >= s.height ? s.height : 0;
}

/* --- a diamond -------------------------------------------------------------------------------- */

/* Diamond 0 has only an upper half, from level h = 0 of the chain on, in row 0; the last one has
 * only a lower half, up to level h. */
enum strip_part { STRIP_WHOLE, STRIP_UPPER, STRIP_LOWER };

/* As if the lanes had been in strip -1 of a whole diamond: its first slot enters at time -period.
 */
template <class S> static __device__ __forceinline__ void begin_rounds(strip_lane<S> &s)
{
    s.x = s.lane * S::P - S::width / 2 - S::R * S::pause;
    s.level = (s.height + S::pause - S::crossing) % s.height;
}

/* Before round n, in a half: strip n. */
template <class S>
static __device__ __forceinline__ void begin_strip(strip_lane<S> &s, strip_part part, int n)
{
    s.x = s.lane * S::P + (part == STRIP_UPPER ? n * S::width : s.height * S::R + n * S::width / 2);
    s.level = part == STRIP_UPPER ? 0 : n * S::crossing;
    __syncwarp();
#pragma unroll
    for (int f = 0; f < S::E::fields && part == STRIP_UPPER; f++)
        load_slots<typename S::T, S::P>(s.rows.at(0, f, s.x), s.now.at[f]);
}

/* At time t of round n: lanes that leave a strip go on. */
template <class S>
static __device__ __forceinline__ lane_moves move_lanes(strip_lane<S> &s, strip_part part, int n,
                                                        int strips, int t, bool last)
{
    const int at = t * S::edge / S::P, enters = at - S::pause * S::edge / S::P;
    if (part == STRIP_LOWER)
        return {NO_LANE, at, false};
    if (part == STRIP_UPPER) {
        if (s.lane < at)
            s.x += S::R * S::group; /* has left: x stays within the rows */
        return {at, NO_LANE, last};
    }
    if (s.lane >= enters && s.lane < enters + S::lanes) { /* on to strip n */
        s.x += S::width / 2 + S::R * (s.height + S::pause);
        s.level += S::crossing - S::pause;
        s.level -= s.level >= s.height ? s.height : 0;
    }
    /* In the last group the last lane waits for its turn to enter. */
    return {n > 0 ? at : NO_LANE, n < strips ? enters : NO_LANE, last && n > 0 && t < S::crossing};
}

/* Levels of round n in which no slot leaves or enters, after those in which some do. In an upper
 * half they are those of the next strip. */
template <class S>
static __device__ __forceinline__ int full_levels(const strip_lane<S> &s, strip_part part, int n,
                                                  int strips)
{
    const int next = (n + 1) * S::crossing;
    if (part == STRIP_LOWER)
        return s.height - next;
    if (part == STRIP_UPPER)
        return n + 1 < strips ? next : 0;
    return n < strips ? s.height - S::crossing : 0;
}

/* All parts go through one pair of loops: a copy of the levels takes the compiler a second. */
template <class S, bool WALLS>
static __device__ __forceinline__ void advance_part(const typename S::E &eq, strip_lane<S> &s,
                                                    strip_part part, int strips, bool last)
{
    const int pause = part == STRIP_WHOLE ? S::pause : 0;
    const int rounds = part == STRIP_WHOLE ? strips + 1 : strips;
    if (part == STRIP_WHOLE)
        begin_rounds(s);
    if (part == STRIP_UPPER)
        begin_strip(s, part, 0);
#pragma unroll 1
    for (int n = 0; n < rounds; n++) {
        if (part == STRIP_LOWER)
            begin_strip(s, part, n);
        __syncwarp();
#pragma unroll 1
        for (int t = n > 0 ? 0 : pause; t < S::crossing + pause; t += S::group)
            advance_group<S, true, WALLS>(eq, s, move_lanes(s, part, n, strips, t, last));
        if (part == STRIP_UPPER && n + 1 < strips)
            begin_strip(s, part, n + 1);
        const int levels = full_levels(s, part, n, strips);
        __syncwarp(); /* what the last lane has stored is visible to the first one */
#pragma unroll 1
        for (int t = 0; t < levels; t += S::group)
            advance_group<S, false, WALLS>(eq, s, {NO_LANE, NO_LANE, last});
        __syncwarp();
#pragma unroll
        for (int f = 0; f < S::E::fields && part == STRIP_LOWER; f++)
            store_slots<typename S::T, S::P>(s.rows.at(0, f, s.x), s.now.at[f]);
    }
}

/* --- a node ----------------------------------------------------------------------------------- */

/* Both rows, and R halo points on each side, of which only those of level h - 1 are used: row 1.
 * They are safe to read, as in load_node (block.cuh). */
template <class S>
static __device__ __forceinline__ void
load_strips(const ss_rows<typename S::T> &rows, const diamond &a, int node, const strip_lane<S> &s)
{
#pragma unroll 8
    for (int x = s.lane - S::R; x < a.s.block + S::R; x += 32) {
        const int p = point_at(a, node, x);
#pragma unroll
        for (int f = 0; f < S::E::fields; f++) {
            *s.rows.at(0, f, x) = rows.row[0][f * rows.field + p];
            if (!a.initial)
                *s.rows.at(1, f, x) = rows.row[1][f * rows.field + p];
        }
    }
    __syncwarp(); /* lanes have loaded points for one another */
}

template <class S>
static __device__ __forceinline__ void
store_strips(const ss_rows<typename S::T> &rows, const diamond &a, int node, const strip_lane<S> &s)
{
    __syncwarp();
#pragma unroll 8
    for (int x = s.lane; x < a.s.block; x += 32) {
        const int p = point_at(a, node, x);
#pragma unroll
        for (int f = 0; f < S::E::fields; f++)
#pragma unroll
            for (int row = 0; row < 2; row++)
                rows.row[row][f * rows.field + p] = *s.rows.at(row, f, x);
    }
}

/* Nearly all nodes of nearly all launches are whole diamonds away from the ends of the line, and
 * have code of their own; not for several fields (Euler: 3 % slower, by more registers). */
template <class S>
static __device__ __forceinline__ void run_strips(const typename S::E &eq, const diamond &a,
                                                  strip_lane<S> &s, bool walls)
{
    const bool own = S::E::fields == 1, ends = S::E::bc != SS_BC_PERIODIC;
    const int strips = a.s.block / S::width;
    const bool last = s.lane >= 32 - S::edge / S::chunk, lower = a.to == a.s.height + 1;
    const strip_part part = a.initial ? STRIP_UPPER : lower ? STRIP_LOWER : STRIP_WHOLE;
    if (!walls && (!own || part == STRIP_WHOLE))
        advance_part<S, false>(eq, s, own ? STRIP_WHOLE : part, strips, last);
    else
        advance_part<S, ends>(eq, s, part, strips, last);
}

/* A diamond; its nodes, one per warp, do not communicate. */
template <class E, int P>
__global__ void __launch_bounds__(32 * STRIP_WARPS(E::fields), 1)
    swept_strip(E eq, ss_rows<typename E::real> rows, diamond a)
{
    typedef strip<E, P> S;
    typedef typename E::real T;
    extern __shared__ double shared[];
    const int per_block = blockDim.x / 32, warp = warp_index(), half = a.s.block / 2;
    const int node = blockIdx.x * per_block + warp;
    const bool last_node = node == a.s.count - 1, split = a.shift && last_node;
    strip_lane<S> s = {};
    s.lane = threadIdx.x % 32;
    s.height = a.s.height;
    s.rows = strip_rows<E>::of_warp((T *)shared, warp, a.s.block);
    s.left_end = split ? half : !a.shift && node == 0 ? 0 : NOWHERE;
    s.right_end = split ? half - 1 : !a.shift && last_node ? a.s.block - 1 : NOWHERE;
    let_next_begin(); /* overlapped launches: see block.cuh */
    await_previous();
    if (node >= a.nodes)
        return;
    load_strips<S>(rows, a, node, s);
    strip_step<S>::begin_node(s);
    run_strips<S>(eq, a, s, has_wall<E>(a, node));
    store_strips<S>(rows, a, node, s);
}

#endif
