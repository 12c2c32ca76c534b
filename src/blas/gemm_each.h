/* Matrix product for one precision: loops.c includes this file for each, with REAL, VIEW and
 * PRODUCT. The inner loop runs along rows that are contiguous in memory, so that it is vectorised.
 */

/* Rows of B that stay in the cache while all rows of C use them. */
#define ROWS 64
#define ADD VIEW(add)
#define SCALE VIEW(scale)

/* c(j) += factor b(j) */
static void ADD(REAL *restrict c, const REAL *restrict b, ptrdiff_t step, REAL factor, int n)
{
    if (step == 1)
        for (int j = 0; j < n; j++)
            c[j] += factor * b[j];
    else
        for (int j = 0; j < n; j++)
            c[j] += factor * b[j * step];
}

/* C = beta C, also where C holds no numbers yet and beta is 0; C has contiguous rows. */
static void SCALE(REAL *c, ptrdiff_t down, int m, int n, REAL beta)
{
    for (int i = 0; i < m && beta != 1; i++)
        for (int j = 0; j < n; j++)
            c[i * down + j] = beta != 0 ? beta * c[i * down + j] : 0;
}

typedef struct VIEW(matrix) {
    REAL *at;
    ptrdiff_t down, right; /* from an element to the next row and the next column */
} VIEW(matrix);

static VIEW(matrix) VIEW(turned)(VIEW(matrix) a)
{
    return (VIEW(matrix)){a.at, a.right, a.down};
}

/* C = alpha A B + beta C; C is m x n, and A has k columns. */
static void PRODUCT(int m, int n, int k, REAL alpha, VIEW(matrix) a, VIEW(matrix) b, REAL beta,
                    VIEW(matrix) c)
{
    if (c.right != 1) { /* by columns: the transposed product has contiguous rows */
        VIEW(matrix) left = VIEW(turned)(b);
        b = VIEW(turned)(a);
        a = left;
        c = VIEW(turned)(c);
        int rows = m;
        m = n;
        n = rows;
    }
    SCALE(c.at, c.down, m, n, beta);
    for (int from = 0; from < k; from += ROWS)
        for (int i = 0; i < m; i++)
            for (int p = from; p < k && p < from + ROWS; p++) {
                REAL factor = alpha * a.at[i * a.down + p * a.right];
                ADD(c.at + i * c.down, b.at + p * b.down, b.right, factor, n);
            }
}

#undef ROWS
#undef ADD
#undef SCALE
#undef REAL
#undef VIEW
#undef PRODUCT
