/* The constants of a run are the arguments of its kernel's template: src/base/text.h. */
#include "src/base/text.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

static const char text[] = "/* Calls tiles(a). */\n"
                           "template <class E> __device__ void tiles_of(E a);\n"
                           "template <class E, int COLUMNS, bool NORM,\n"
                           "          typename T = typename E::real>\n"
                           "__global__ void __launch_bounds__(32, NORM ? 1 : 2)\n"
                           "    tiles(const T *a, E update)\n"
                           "{\n"
                           "}\n"
                           "\n"
                           "__global__ void put(int *to)\n"
                           "{\n"
                           "}\n";

static const char *line_at(size_t at)
{
    static char line[80];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text + at, "\n"), text + at);
    return line;
}

TEST(kernel_text, parameters_of_a_template_get_the_arguments_of_the_entry)
{
    char buf[200];
    CHECK_STR(ss_kernel_constants(text, "tiles<damped<E<double, 2>>, 4, false>", buf, sizeof buf),
              "E damped<E<double, 2>>, COLUMNS 4, NORM false");
    CHECK_STR(ss_kernel_constants(text, "tiles<line, 4, true, float>", buf, sizeof buf),
              "E line, COLUMNS 4, NORM true, T float");
}

TEST(kernel_text, a_kernel_without_a_template_has_no_constants)
{
    char buf[200];
    CHECK_STR(ss_kernel_constants(text, "put", buf, sizeof buf), "");
    CHECK_STR(ss_kernel_constants(text, "nowhere<3>", buf, sizeof buf), "");
}

TEST(kernel_text, a_kernel_begins_at_its_template)
{
    CHECK_STR(line_at(ss_kernel_begin(text, "tiles<line, 4, true>")),
              "template <class E, int COLUMNS, bool NORM,");
    CHECK_STR(line_at(ss_kernel_begin(text, "put")), "__global__ void put(int *to)");
    CHECK_INT(ss_kernel_begin(text, "nowhere"), 0);
}

TEST(kernel_text, short_buffers_cut)
{
    char buf[12];
    CHECK_STR(ss_kernel_constants(text, "tiles<line, 4, true>", buf, sizeof buf), "E line, COL");
}

TEST(kernel_text, a_kernel_of_the_program)
{
    char buf[200];
    const char *file = ss_embed_text("kernels/cuda/jacobi/fast/tile_march.cuh");
    CHECK_STR(ss_kernel_constants(file, "march_tiles<fma_plane<double>, 2, 8, false, 12>", buf,
                                  sizeof buf),
              "E fma_plane<double>, C 2, K 8, NORM false, WARPS 12");
}
