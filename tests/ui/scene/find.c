/* Search by words. */
#include "tests/check.h"

#include <string.h>

#include "ui/scene/find.h"

TEST(find, each_word_occurs_in_any_order)
{
    static const char text[] = "Wild asynchrony: which tiles ran ahead";
    CHECK(ss_find_has(text, ""));
    CHECK(ss_find_has(text, "wild"));
    CHECK(ss_find_has(text, "ahead WILD"));
    CHECK(ss_find_has(text, "  sync  "));
    CHECK(!ss_find_has(text, "wild shock"));
    CHECK(!ss_find_has("", "w"));
}

TEST(find, keys_change_the_words)
{
    char words[6] = "";
    CHECK(ss_find_type("a", words, sizeof words) && ss_find_type("space", words, sizeof words));
    CHECK(ss_find_type("B", words, sizeof words));
    CHECK_STR(words, "a B");
    CHECK(ss_find_type("backspace", words, sizeof words));
    CHECK_STR(words, "a ");
    for (int i = 0; i < 9; i++) /* letters beyond the room are dropped, not handed on */
        CHECK(ss_find_type("q", words, sizeof words));
    CHECK_STR(words, "a qqq");
    for (int i = 0; i < 9; i++)
        CHECK(ss_find_type("backspace", words, sizeof words));
    CHECK_STR(words, "");
    CHECK(!ss_find_type("up", words, sizeof words) && !ss_find_type("enter", words, sizeof words));
}
