/* Jansson in a build without it. All values are one that holds nothing; json.c refuses to write it.
 */
#ifndef SS_STANDIN_JANSSON_H
#define SS_STANDIN_JANSSON_H

#include <stddef.h>

typedef struct json_t {
    char nothing;
} json_t;

typedef long long json_int_t;

extern json_t ss_no_json;

#define VALUE(NAME, ...)                                                                           \
    static inline json_t *NAME(__VA_ARGS__)                                                        \
    {                                                                                              \
        return &ss_no_json;                                                                        \
    }
VALUE(json_object, void)
VALUE(json_array, void)
VALUE(json_null, void)
VALUE(json_true, void)
VALUE(json_boolean, int v)
VALUE(json_integer, json_int_t v)
VALUE(json_real, double v)
VALUE(json_string, const char *v)
VALUE(json_pack, const char *format, ...)
VALUE(json_array_get, const json_t *o, size_t i)
VALUE(json_object_get, const json_t *o, const char *key)
#undef VALUE

#define ACTION(NAME, ...)                                                                          \
    static inline int NAME(__VA_ARGS__)                                                            \
    {                                                                                              \
        return 0;                                                                                  \
    }
ACTION(json_object_set, json_t *o, const char *key, json_t *v)
ACTION(json_object_set_new, json_t *o, const char *key, json_t *v)
ACTION(json_array_append_new, json_t *o, json_t *v)
ACTION(json_array_size, const json_t *o)
ACTION(json_is_false, const json_t *o)
ACTION(json_is_number, const json_t *o)
ACTION(json_number_value, const json_t *o)
ACTION(json_is_integer, const json_t *o)
ACTION(json_is_true, const json_t *o)
ACTION(json_integer_value, const json_t *o)
#undef ACTION

static inline void json_decref(json_t *o)
{
    (void)o;
}

static inline const char *json_string_value(const json_t *o)
{
    (void)o;
    return NULL;
}

#define JSON_COMPACT 0
#define JSON_REAL_PRECISION(digits) 0
#define JSON_REJECT_DUPLICATES 0

static inline char *json_dumps(const json_t *o, size_t flags)
{
    (void)o, (void)flags;
    return NULL;
}

static inline json_t *json_loads(const char *text, size_t flags, void *error)
{
    (void)text, (void)flags, (void)error;
    return NULL;
}

static inline json_t *json_load_file(const char *path, size_t flags, void *error)
{
    (void)path, (void)flags, (void)error;
    return NULL;
}

#endif
