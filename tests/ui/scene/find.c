/* Search by words. */
#include "tests/check.h"

#include "ui/scene/text.h"

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
