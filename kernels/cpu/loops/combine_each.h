/*
 * The loops of combine.h for one precision and one instruction set: combine.c compiles it for
 * each (each.h), hence no include guard. The compiler vectorises them; every point is
 * computed by the same expression.
 */
static void SS_NAME(relax)(int n, double omega, const void *u0, const void *jacobi0, void *out0)
{
    const SS_REAL *u = u0, *jacobi = jacobi0, w = (SS_REAL)omega, rest = (SS_REAL)(1 - omega);
    SS_REAL *out = out0;
    for (int i = 0; i < n; i++)
        out[i] = rest * u[i] + w * jacobi[i];
}

static void SS_NAME(relax_colour)(int n, int first, double omega, const void *u0,
                                  const void *jacobi0, void *out0)
{
    const SS_REAL *restrict u = u0, *restrict jacobi = jacobi0;
    const SS_REAL w = (SS_REAL)omega, rest = (SS_REAL)(1 - omega);
    SS_REAL *restrict out = out0;
    for (int i = 0; i < n; i++) {
        SS_REAL relaxed = rest * u[i] + w * jacobi[i];
        out[i] = (i & 1) == first ? relaxed : u[i];
    }
}

static void SS_NAME(recur)(int n, double omega, const void *jacobi0, void *out0)
{
    const SS_REAL *restrict jacobi = jacobi0, w = (SS_REAL)omega;
    SS_REAL *restrict out = out0;
    for (int i = 0; i < n; i++)
        out[i] = w * (jacobi[i] - out[i]) + out[i];
}

static void SS_NAME(add)(int n, double factor, const void *a0, const void *b0, void *out0)
{
    const SS_REAL *a = a0, *b = b0, f = (SS_REAL)factor;
    SS_REAL *out = out0;
    for (int i = 0; i < n; i++)
        out[i] = a[i] + f * b[i];
}

static double SS_NAME(dot)(int n, const void *a0, const void *b0)
{
    const SS_REAL *a = a0, *b = b0;
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
