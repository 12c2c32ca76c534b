/* Histograms of a class's answers: every answer is in a bin, the bins' labels are true, and they
 * tell nothing about the truth. See src/snapshot/page.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/snapshot/page.h"
#include "tests/check.h"

static ss_answers class;
static ss_histogram h;

static void answer(int n, const double *value)
{
    class = (ss_answers){.asked = n, .n = n};
    for (int i = 0; i < n; i++)
        class.value[i] = value[i];
}

static int sum(void)
{
    int n = 0;
    for (int i = 0; i < h.nbin; i++)
        n += h.bin[i].count;
    return n;
}

static void check_bin(int i, const char *label, int count)
{
    CHECK_STR(h.bin[i].label, label);
    CHECK_INT(h.bin[i].count, count);
}

TEST(answers, a_choice_has_a_bin_of_its_own)
{
    const double v[] = {1, 3, 3, 1, 3};
    answer(5, v);
    ss_histogram_of(&class, 4, 2, (double)NAN, &h);
    CHECK_INT(h.nbin, 4);
    check_bin(0, "1", 2);
    check_bin(1, "2", 0);
    check_bin(2, "3", 3);
    check_bin(3, "4", 0);
    CHECK_INT(ss_histogram_bin(&h, 4), 3);
    CHECK_INT(ss_histogram_bin(&h, (double)NAN), -1);
}

TEST(answers, whole_numbers_are_counted_one_by_one_where_they_are_few)
{
    const double v[] = {14, 14, 12, 16, 14};
    answer(5, v);
    ss_histogram_of(&class, 0, 14, (double)NAN, &h);
    CHECK_INT(h.nbin, 5);
    check_bin(0, "12", 1);
    check_bin(1, "13", 0);
    check_bin(2, "14", 3);
    check_bin(4, "16", 1);
}

TEST(answers, an_answer_far_away_is_in_an_end_bin_that_says_so)
{
    const double v[] = {14, 14, 7,  16, 14, 8,  14, 15, 14,   7,
                        16, 14, 13, 14, 7,  28, 14, 16, 1e12, 12};
    answer(20, v);
    ss_histogram_of(&class, 0, 16, (double)NAN, &h);
    CHECK_INT(sum(), 20);
    check_bin(0, "6 to 7", 3);
    check_bin(h.nbin - 1, "18 or more", 2);
}

TEST(answers, real_numbers_lie_in_intervals_of_round_ends)
{
    const double v[] = {0.1, 0.3, 0.45, 0.3};
    answer(4, v);
    ss_histogram_of(&class, 0, 0.2, (double)NAN, &h);
    CHECK_INT(h.nbin, 4);
    check_bin(0, "0.1 to <0.2", 1);
    check_bin(1, "0.2 to <0.3", 0);
    check_bin(2, "0.3 to <0.4", 2);
    CHECK_INT(ss_histogram_bin(&h, 0.2), 1);
}

TEST(answers, one_answer_makes_one_bin_and_none_makes_none)
{
    static const double values[] = {0, 14, -3, 0.25, 1e-12, -1e14, 0.1};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        answer(1, values + i);
        ss_histogram_of(&class, 0, (double)NAN, (double)NAN, &h);
        CHECK_MSG(h.nbin == 1 && h.bin[0].count == 1, "%g is in %d bins", values[i], h.nbin);
    }
    answer(0, NULL);
    ss_histogram_of(&class, 0, 3, 4, &h);
    CHECK_INT(h.nbin, 0);
    CHECK_INT(ss_histogram_bin(&h, 3), -1);
}

/* Before it is revealed the truth must not be guessed from the picture. */
TEST(answers, the_truth_adds_an_end_bin_and_changes_no_other)
{
    const double v[] = {7, 8, 8, 9};
    answer(4, v);
    ss_histogram_of(&class, 0, 3, (double)NAN, &h);
    CHECK_INT(h.nbin, 4);
    check_bin(0, "below 7", 0);
    ss_histogram_of(&class, 0, 3, 14, &h);
    CHECK_INT(h.nbin, 5);
    check_bin(0, "below 7", 0);
    check_bin(1, "7", 1);
    check_bin(2, "8", 2);
    check_bin(4, "10 or more", 0);
    CHECK_INT(ss_histogram_bin(&h, 3), 0);
    CHECK_INT(ss_histogram_bin(&h, 14), 4);
}

static double any_value(unsigned *seed)
{
    double mantissa = rand_r(seed) / (double)RAND_MAX - 0.3;
    double v = mantissa * pow(10, rand_r(seed) % 24 - 9);
    return rand_r(seed) % 2 ? v : round(v);
}

TEST(answers, no_answer_of_any_size_is_left_out)
{
    double v[SS_CLASS_MOST];
    unsigned seed = 7;
    for (int round = 0; round < 2000; round++) {
        int n = 1 + rand_r(&seed) % SS_CLASS_MOST;
        for (int i = 0; i < n; i++)
            v[i] = any_value(&seed);
        answer(n, v);
        ss_histogram_of(&class, 0, any_value(&seed), any_value(&seed), &h);
        CHECK_MSG(sum() == n, "round %d: %d of %d", round, sum(), n);
        CHECK(h.nbin >= 1 && h.nbin <= SS_BINS_MOST);
    }
}
