/*
 * The passes of the classic and the pipelined variant, and those that begin the method and check
 * its residual. kernels/solver/cg.c has the method and its sources; expressions and rounding are
 * those of kernels/cpu/cg.c. E is an update of device/update.cuh.
 *
 * Everything is scaled by the matrix's diagonal: r is the change u' - u of a Jacobi step, and
 * A v = v - J v, where J is a Jacobi step without right-hand side. A halo of zeros surrounds each
 * vector. Values per point that a pass reads and writes:
 *
 *     cg_check        2      the true residual, where the one of the recurrence is in doubt
 *     cg_start        4      r and p from the field; the pipelined variant also has cg_first_w: 2
 *     cg_direction    3      p = r + beta p and p A p
 *     cg_step         5      u += alpha p, r -= alpha A p and r r; A p is computed again, which is
 *                            cheaper than to store it
 *     cg_pipe        12      six vectors and both dot products of the next iteration
 *
 * Device code; cycle.c launches it.
 */
#ifndef SS_CUDA_CG_PASSES_CUH
#define SS_CUDA_CG_PASSES_CUH

#include "kernels/cuda/cg/pass.cuh"
#include "kernels/cuda/device/update.cuh"

/* What these passes get: point (0, 0) of the arrays; NULL: the variant has none. cycle.c has a
 * struct of the same layout. A pass adds the factors that it takes from the state. */
template <class E> struct cg_fields {
    typedef typename E::real T;
    const T *u, *g; /* the field, the right-hand side */
    T *to;          /* the next field */
    T *r, *p, *w, *s, *z;
    T *next; /* the next one of the vector that alternates: p (classic) or w (pipelined) */
    ptrdiff_t sy;
    E update;
};

/* A point and its neighbours. A line has no south and north. */
template <typename T> struct cg_star {
    T c, w, e, s, n;
};

/* f(k) at the five points. south: the star of the point to the south, which has two of these
 * points already; NULL: none. */
template <class E, class F>
static __device__ __forceinline__ cg_star<typename E::real>
cg_star_of(ptrdiff_t k, ptrdiff_t sy, const cg_star<typename E::real> *south, F f)
{
    typedef typename E::real T;
    if (E::dim == 1)
        return {f(k), f(k - 1), f(k + 1), 0, 0};
    T below = south ? south->c : f(k - sy), here = south ? south->n : f(k);
    return {here, f(k - 1), f(k + 1), below, f(k + sy)};
}

template <class E>
static __device__ __forceinline__ typename E::real cg_jacobi(const E &update,
                                                             const cg_star<typename E::real> &v)
{
    return update((typename E::real)0, v.w, v.e, v.s, v.n);
}

/* A v */
template <class E>
static __device__ __forceinline__ typename E::real cg_operate(const E &update,
                                                              const cg_star<typename E::real> &v)
{
    return v.c - cg_jacobi(update, v);
}

template <typename T> static __device__ __forceinline__ double cg_times(T a, T b)
{
    return (double)a * (double)b;
}

/* --- begin and check -------------------------------------------------------------------------- */

/* The true residual u' - u; what both passes below have in common. */
template <class E> struct cg_residual {
    typedef typename E::real T;
    static const int sums = 1, batch = 4;
    struct point {
        cg_star<T> u;
        T g;
    };
    cg_fields<E> f;

    __device__ __forceinline__ point load(ptrdiff_t k, const point *south) const
    {
        return {
            cg_star_of<E>(k, f.sy, south ? &south->u : NULL, [&](ptrdiff_t at) { return f.u[at]; }),
            f.g[k]};
    }
    __device__ __forceinline__ T change(const point &v) const
    {
        return f.update(v.g, v.u.w, v.u.e, v.u.s, v.u.n) - v.u.c;
    }
};

/* r = p = u' - u, unless the method goes on from the vectors that it has. */
template <class E> struct cg_start : cg_residual<E> {
    static const bool always = false;

    __device__ __forceinline__ bool due(const cg_run &a)
    {
        return !__ldcg(&a.state->at.started);
    }
    __device__ __forceinline__ void store(ptrdiff_t k, const typename cg_residual<E>::point &v,
                                          double *product) const
    {
        typename E::real change = this->change(v);
        this->f.r[k] = this->f.p[k] = change;
        *product = cg_times(change, change);
    }
    __device__ void finish(const cg_run &a, bool, const double *total) const
    {
        a.state->at = {1, *total, 0, 0, 0};
        a.state->fresh = 1;
    }
};

/* Appends the norm of the present field and decides whether the run goes on. It is that of the
 * recurrence; in doubt it is the true one, and the method starts again if they differ. */
template <class E> struct cg_check : cg_residual<E> {
    static const bool always = true;
    double rr; /* of the recurrence */

    __device__ __forceinline__ bool due(const cg_run &a)
    {
        const ss_prec prec = sizeof(typename E::real) == sizeof(double) ? SS_F64 : SS_F32;
        double tol = __ldcg(&a.state->reached) ? 0 : __ldcg(&a.control->tol);
        rr = __ldcg(&a.state->at.rr);
        return ss_cg_is_doubtful(prec, __ldcg(&a.control->scale) * sqrt(rr), tol,
                                 __ldcg(&a.control->first));
    }
    __device__ __forceinline__ void store(ptrdiff_t, const typename cg_residual<E>::point &v,
                                          double *product) const
    {
        typename E::real change = this->change(v);
        *product = cg_times(change, change);
    }
    __device__ void finish(const cg_run &a, bool due, const double *total) const
    {
        double squares = due ? *total : rr;
        double norm = a.control->scale * sqrt(rr), exact = a.control->scale * sqrt(squares);
        decide(a.control, squares);
        if (due && norm < SS_CG_DRIFT * exact)
            a.state->at.started = 0;
        if (a.control->tol > 0 && exact <= a.control->tol * a.control->first)
            a.state->reached = 1;
    }
};

/* The host writes it before a step: was the tolerance met before? */
__global__ void put_reached(cg_state *state, int reached)
{
    state->reached = reached;
}

/* --- classic ---------------------------------------------------------------------------------- */

/* p is read at the neighbours, so that the next one has an array of its own. */
template <class E> struct cg_direction {
    typedef typename E::real T;
    typedef cg_star<T> point;
    static const int sums = 1, batch = 4;
    static const bool always = false;
    cg_fields<E> f;
    T beta;
    bool first; /* the first direction is r, which cg_start has stored in p */

    __device__ __forceinline__ bool due(const cg_run &a)
    {
        double value = __ldcg(&a.state->at.beta);
        beta = (T)value;
        first = !(value > 0);
        return true;
    }
    __device__ __forceinline__ point load(ptrdiff_t k, const point *south) const
    {
        return cg_star_of<E>(k, f.sy, south, [&](ptrdiff_t at) {
            T old = f.p[at], next = f.r[at] + beta * old;
            return first ? old : next;
        });
    }
    __device__ __forceinline__ void store(ptrdiff_t k, const point &v, double *product) const
    {
        f.next[k] = v.c;
        *product = cg_times(v.c, cg_operate(f.update, v));
    }
    __device__ void finish(const cg_run &a, bool, const double *total) const
    {
        a.state->at.alpha = ss_cg_quotient(a.state->at.rr, *total);
    }
};

/* After cg_direction, with its p. */
template <class E> struct cg_step {
    typedef typename E::real T;
    static const int sums = 1, batch = 4;
    static const bool always = false;
    struct point {
        cg_star<T> p;
        T u, r;
    };
    cg_fields<E> f;
    T alpha, minus; /* minus: -alpha */

    __device__ __forceinline__ bool due(const cg_run &a)
    {
        double value = __ldcg(&a.state->at.alpha);
        alpha = (T)value;
        minus = (T)-value;
        return true;
    }
    __device__ __forceinline__ point load(ptrdiff_t k, const point *south) const
    {
        return {cg_star_of<E>(k, f.sy, south ? &south->p : NULL,
                              [&](ptrdiff_t at) { return f.next[at]; }),
                f.u[k], f.r[k]};
    }
    __device__ __forceinline__ void store(ptrdiff_t k, const point &v, double *product) const
    {
        T next = v.r + minus * cg_operate(f.update, v.p);
        f.to[k] = v.u + alpha * v.p.c;
        f.r[k] = next;
        *product = cg_times(next, next);
    }
    __device__ void finish(const cg_run &a, bool, const double *total) const
    {
        ss_cg_recurrence *s = &a.state->at;
        s->beta = ss_cg_quotient(*total, s->rr);
        s->rr = *total;
    }
};

/* --- pipelined -------------------------------------------------------------------------------- */

/* w = A r and w r, after cg_start. */
template <class E> struct cg_first_w {
    typedef typename E::real T;
    typedef cg_star<T> point;
    static const int sums = 1, batch = 4;
    static const bool always = false;
    cg_fields<E> f;

    __device__ __forceinline__ bool due(const cg_run &a)
    {
        return __ldcg(&a.state->fresh);
    }
    __device__ __forceinline__ point load(ptrdiff_t k, const point *south) const
    {
        return cg_star_of<E>(k, f.sy, south, [&](ptrdiff_t at) { return f.r[at]; });
    }
    __device__ __forceinline__ void store(ptrdiff_t k, const point &v, double *product) const
    {
        T value = cg_operate(f.update, v);
        f.w[k] = value;
        *product = cg_times(value, v.c);
    }
    __device__ void finish(const cg_run &a, bool, const double *total) const
    {
        ss_cg_recurrence *s = &a.state->at;
        s->wr = *total;
        s->alpha = ss_cg_quotient(s->rr, s->wr);
        a.state->fresh = 0;
    }
};

/* z = A w + beta z, s = w + beta s, p = r + beta p, u += alpha p, r -= alpha s, w -= alpha z; then
 * r r and w r of the next iteration, and from them its factors. */
template <class E> struct cg_pipe {
    typedef typename E::real T;
    static const int sums = 2, batch = 2;
    static const bool always = false;
    struct point {
        cg_star<T> w;
        T u, r, p, s, z;
    };
    cg_fields<E> f;
    T alpha, minus, beta;

    __device__ __forceinline__ bool due(const cg_run &a)
    {
        double value = __ldcg(&a.state->at.alpha);
        alpha = (T)value;
        minus = (T)-value;
        beta = (T)__ldcg(&a.state->at.beta);
        return true;
    }
    __device__ __forceinline__ point load(ptrdiff_t k, const point *south) const
    {
        return {
            cg_star_of<E>(k, f.sy, south ? &south->w : NULL, [&](ptrdiff_t at) { return f.w[at]; }),
            f.u[k],
            f.r[k],
            f.p[k],
            f.s[k],
            f.z[k]};
    }
    __device__ __forceinline__ void store(ptrdiff_t k, const point &v, double *product) const
    {
        T new_z = cg_operate(f.update, v.w) + beta * v.z, new_s = v.w.c + beta * v.s;
        T new_p = v.r + beta * v.p, new_r = v.r + minus * new_s, new_w = v.w.c + minus * new_z;
        f.z[k] = new_z;
        f.s[k] = new_s;
        f.p[k] = new_p;
        f.to[k] = v.u + alpha * new_p;
        f.r[k] = new_r;
        f.next[k] = new_w;
        product[0] = cg_times(new_r, new_r);
        product[1] = cg_times(new_w, new_r);
    }
    __device__ void finish(const cg_run &a, bool, const double *total) const
    {
        ss_cg_recurrence *s = &a.state->at;
        double beta = ss_cg_quotient(total[0], s->rr);
        *s = {1, total[0],
              ss_cg_quotient(total[0], beta > 0 ? total[1] - beta * total[0] / s->alpha : total[1]),
              beta, total[1]};
    }
};

#endif
