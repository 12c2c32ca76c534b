/*
 * Rows of values as doubles. layer.c includes this once per precision, with SS_REAL (the type) and
 * SS_NAME(x) (x_f64 or x_f32) defined. Simple loops, so that any compiler vectorises them.
 */

static void SS_NAME(load)(const void *in, int n, double *restrict v)
{
    const SS_REAL *a = in;
    for (int i = 0; i < n; i++)
        v[i] = (double)a[i];
}

/* v = scale |a - b| */
static void SS_NAME(difference)(const void *first, const void *second, int n, double scale,
                                double *restrict v)
{
    const SS_REAL *a = first, *b = second;
    for (int i = 0; i < n; i++)
        v[i] = scale * fabs((double)a[i] - (double)b[i]);
}

#undef SS_REAL
#undef SS_NAME
