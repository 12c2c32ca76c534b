/*
 * The loops of combine.h for one precision (SS_PREC) and one instruction set (SS_ISA): included by
 * combine.c once for each, hence no include guard. The compiler vectorises them; every point is
 * computed by the same expression.
 */
#define ID(x) SS_JOIN(SS_JOIN(x, SS_ISA), SS_PREC)
#define scalar SS_JOIN(ss, SS_PREC)

static void ID(relax)(int n, double omega, const void *u0, const void *jacobi0, void *out0)
{
    const scalar *u = u0, *jacobi = jacobi0, w = (scalar)omega, rest = (scalar)(1 - omega);
    scalar *out = out0;
    for (int i = 0; i < n; i++)
        out[i] = rest * u[i] + w * jacobi[i];
}

static void ID(relax_colour)(int n, int first, double omega, const void *u0, const void *jacobi0,
                             void *out0)
{
    const scalar *restrict u = u0, *restrict jacobi = jacobi0;
    const scalar w = (scalar)omega, rest = (scalar)(1 - omega);
    scalar *restrict out = out0;
    for (int i = 0; i < n; i++) {
        scalar relaxed = rest * u[i] + w * jacobi[i];
        out[i] = (i & 1) == first ? relaxed : u[i];
    }
}

static void ID(recur)(int n, double omega, const void *jacobi0, void *out0)
{
    const scalar *restrict jacobi = jacobi0, w = (scalar)omega;
    scalar *restrict out = out0;
    for (int i = 0; i < n; i++)
        out[i] = w * (jacobi[i] - out[i]) + out[i];
}

static void ID(add)(int n, double factor, const void *a0, const void *b0, void *out0)
{
    const scalar *a = a0, *b = b0, f = (scalar)factor;
    scalar *out = out0;
    for (int i = 0; i < n; i++)
        out[i] = a[i] + f * b[i];
}

static double ID(dot)(int n, const void *a0, const void *b0)
{
    const scalar *a = a0, *b = b0;
    ss_lanes sum = {{0}};
    int i = 0;
    for (; i + SS_SUM_LANES <= n; i += SS_SUM_LANES)
        for (int k = 0; k < SS_SUM_LANES; k++)
            sum.lane[k] += (double)a[i + k] * (double)b[i + k];
    for (int k = 0; i + k < n; k++)
        sum.lane[k] += (double)a[i + k] * (double)b[i + k];
    for (int half = SS_SUM_LANES / 2; half > 0; half /= 2) /* as ss_lanes_sum, without a call */
        for (int k = 0; k < half; k++)
            sum.lane[k] += sum.lane[k + half];
    return sum.lane[0];
}

#undef ID
#undef scalar
