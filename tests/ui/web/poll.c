/* A question to a class, and whose answers count. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/check.h"

#ifdef SS_WITH_WEB
#include "ui/web/web.h"

static bool takes(ss_poll *p, uint32_t question, uint32_t page, double value)
{
    ss_err err = {0};
    bool taken = ss_poll_take(p, question, page, value, &err) == SS_OK;
    CHECK(taken || err.text[0]); /* a page is told why */
    return taken;
}

static const ss_question number = {.text = "how many?"};
static const ss_question choice = {.text = "which?", .choice = {"one", "two"}, .nchoice = 2};

TEST(poll, a_page_has_one_answer_until_the_question_is_closed)
{
    static ss_poll p;
    char text[SS_POLL_TEXT];
    CHECK(!takes(&p, 0, 7, 3));
    ss_poll_ask(&p, &number);
    CHECK_STR(ss_poll_text(&p, text, sizeof text), "question 1\nhow many?");
    CHECK(takes(&p, 1, 7, 3));
    CHECK(takes(&p, 1, 8, 3.5));
    CHECK(takes(&p, 1, 7, -4));
    CHECK(!takes(&p, 2, 9, 4));
    CHECK_INT(p.n, 2);
    CHECK(p.answer[0].value < -3.9 && ss_poll_has(&p, 8) && !ss_poll_has(&p, 9));
    ss_poll_ask(&p, NULL);
    CHECK(!takes(&p, 1, 7, 5) && !takes(&p, 1, 9, 5));
    CHECK_INT(p.n, 2);
    CHECK_STR(ss_poll_text(&p, text, sizeof text), "question 0");
    ss_poll_ask(&p, &choice);
    CHECK_INT(p.n, 0);
    CHECK(!takes(&p, 1, 7, 1)); /* of the question before */
    CHECK_STR(ss_poll_text(&p, text, sizeof text), "question 2\nwhich?\none\ntwo");
}

TEST(poll, an_answer_is_one_of_the_choices)
{
    static const double bad[] = {0, 3, -1, 1.5, NAN};
    static ss_poll p;
    ss_poll_ask(&p, &choice);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_MSG(!takes(&p, 1, 1, bad[i]), "%g is taken", bad[i]);
    CHECK(takes(&p, 1, 1, 1) && takes(&p, 1, 2, 2));
}

TEST(poll, a_full_class_keeps_its_answers)
{
    static ss_poll p;
    ss_poll_ask(&p, &number);
    for (uint32_t i = 1; i <= SS_CLASS_MOST; i++)
        CHECK(takes(&p, 1, i, i));
    CHECK(!takes(&p, 1, SS_CLASS_MOST + 1, 1));
    CHECK(takes(&p, 1, SS_CLASS_MOST, 1));
}

/* Short connections, each with an answer, are no class. */
TEST(poll, the_answer_of_a_page_that_left_does_not_count)
{
    static ss_poll p;
    ss_poll_ask(&p, &number);
    CHECK(takes(&p, 1, 1, 7));
    for (uint32_t i = 2; i < 1000; i++) {
        CHECK(takes(&p, 1, i, 3));
        ss_poll_drop(&p, i);
    }
    CHECK(takes(&p, 1, 1000, 8) && ss_poll_has(&p, 1));
    CHECK_INT(p.n, 2);
    ss_poll_drop(&p, 5); /* has none */
    ss_poll_drop(&p, 1);
    CHECK_INT(p.n, 1);
    CHECK(ss_poll_has(&p, 1000) && p.answer[0].value > 7.9);
    ss_poll_ask(&p, NULL);
    ss_poll_drop(&p, 1000);
    CHECK_INT(p.n, 1); /* the question is closed: its answers stay */
}

TEST(poll, the_longest_question_fits_a_message)
{
    static ss_poll p;
    static ss_question q;
    char text[SS_POLL_TEXT];
    memset(q.text, 'q', sizeof q.text - 1);
    for (q.nchoice = 0; q.nchoice < SS_CHOICES_MOST; q.nchoice++)
        memset(q.choice[q.nchoice], 'c', sizeof q.choice[0] - 1);
    ss_poll_ask(&p, &q);
    size_t n = strlen(ss_poll_text(&p, text, sizeof text));
    CHECK(n < sizeof text - 1 && text[n - 1] == 'c');
    CHECK_INT((int)n, 10 + 1 + 239 + 9 * 160);
}

#endif
