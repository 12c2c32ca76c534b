/* What valid values are likely to lead to is said when a run opens, and when they change. */
#include "tests/engines.h"

ENGINE_TEST(caution, it_is_said_when_a_run_opens, "plane", "jacobi", "n", "9", "backend", "cpu",
            "diagonal", "3.5")
{
    const ss_snapshot *s = send_lines(e, LINES("pause"));
    CHECK_MSG(strstr(s->message, "Jacobi's iteration diverges"), "%s", s->message);
    CHECK(s->message_warns && !s->message_is_error);
}

ENGINE_TEST(caution, it_is_said_once_when_a_change_leads_to_it, "advdiff2d", "jacobi", "n", "99",
            "backend", "cpu")
{
    const ss_snapshot *s = send_lines(e, LINES("step 1"));
    CHECK_MSG(!strstr(s->message, "oscillates"), "%s", s->message);
    s = send_lines(e, LINES("set velocity-x 500"));
    CHECK_MSG(strstr(s->message, "is above 2"), "%s", s->message);
    CHECK_MSG(strstr(s->message, "scheme upwind, or n 249 and ny 99"), "%s", s->message);
    uint64_t said = s->message_seq;
    s = send_lines(e, LINES("set cycles 20"));
    CHECK_INT(s->message_seq, said);
    s = send_lines(e, LINES("set scheme upwind"));
    CHECK_INT(s->message_seq, said);
}

TEST(caution, conjugate_gradients_say_what_the_matrix_lacks_and_nothing_of_jacobi)
{
    static const struct {
        const char *diagonal, *words;
    } of[] = {{"3.5", "indefinite (its least eigenvalue is -0.4"}, {"3.99", NULL}};
    for (int i = 0; i < 2; i++) {
        ss_config cfg =
            config("plane", "cg", PAIRS("n", "20", "backend", "cpu", "diagonal", of[i].diagonal));
        ss_engine *e = engine_for(&cfg);
        const ss_snapshot *s = send_lines(e, LINES("pause"));
        CHECK_MSG(!strstr(s->message, "Jacobi"), "%s", s->message);
        CHECK_MSG(of[i].words ? strstr(s->message, of[i].words) != NULL : !s->message[0], "%s",
                  s->message);
        s = send_lines(e, LINES("set west -0.5"));
        CHECK_MSG(strstr(s->message, "need a symmetric matrix"), "%s", s->message);
        ss_engine_stop(e);
        ss_engine_free(e);
    }
}
