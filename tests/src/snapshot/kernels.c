/* What the driver reports of a kernel, in words: src/snapshot/snapshot.h. */
#include "src/snapshot/snapshot.h"

#include "tests/check.h"

static const char text[] = "\n"
                           "\n"
                           "template <class E, int COLUMNS, bool NORM>\n"
                           "__global__ void tiles(E update)\n"
                           "{\n"
                           "}\n"
                           "\n"
                           "__global__ void put(int *to)\n"
                           "{\n"
                           "}\n";

TEST(kernels_in_words, facts_name_spills_and_leave_out_nothing)
{
    char facts[SS_KERNEL_FACTS][SS_KERNEL_FACT];
    ss_running_kernel k = {.file = "a.cuh",
                           .entry = "tiles<line, 4, true>",
                           .text = text,
                           .registers = 80,
                           .local = 24,
                           .fixed = 512,
                           .dynamic = 1024,
                           .threads = 256,
                           .blocks = 1000,
                           .resident = 3,
                           .most = 2048};
    CHECK_INT(ss_kernel_facts_of(&k, facts), 5);
    CHECK_STR(facts[0], "tiles<line, 4, true>");
    CHECK_STR(facts[1], "E line, COLUMNS 4, NORM true");
    CHECK_STR(facts[2], "a.cuh, line 3");
    CHECK_STR(facts[3],
              "registers 80 per thread, local 24 bytes: spilled registers or arrays, shared 1536 "
              "bytes per block");
    CHECK_STR(facts[4], "1000 blocks of 256 threads, 3 blocks per SM: occupancy 38 % of 2048 "
                        "threads");
}

TEST(kernels_in_words, what_the_driver_does_not_know_is_a_dash)
{
    char facts[SS_KERNEL_FACTS][SS_KERNEL_FACT];
    ss_running_kernel k = {.file = "a.cuh",
                           .entry = "put",
                           .text = text,
                           .registers = -1,
                           .local = -1,
                           .fixed = -1,
                           .threads = 32,
                           .blocks = 1,
                           .resident = -1,
                           .most = 2048};
    CHECK_INT(ss_kernel_facts_of(&k, facts), 4);
    CHECK_STR(facts[2], "registers - per thread, local - bytes, shared - bytes per block");
    CHECK_STR(facts[3], "1 block of 32 threads, - blocks per SM: occupancy -");
}

TEST(kernels_in_words, an_edited_one_is_named_with_what_was_compared)
{
    char words[96];
    ss_edited e = {0x3f2a9c01ab12ffff, SS_BITS_SAME};
    CHECK_STR(ss_edited_words(&e, words, sizeof words),
              "edited kernel 3f2a9c01ab12, same bits as the CPU");
    e.bits = SS_BITS_DIFFER;
    CHECK_STR(ss_edited_words(&e, words, sizeof words),
              "edited kernel 3f2a9c01ab12, its field differs from the CPU's");
    CHECK_STR(ss_edited_label(&e), "edited kernel: field differs");
    e.hash = 0;
    CHECK_STR(ss_edited_words(&e, words, sizeof words), "");
    CHECK_STR(ss_edited_label(&e), "");
}
