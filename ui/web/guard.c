/* Hosts, origins and tokens: see guard.h. */
#include "ui/web/guard.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* The host without its port, which is empty or a colon and digits. 0: it is not of that form. */
static size_t name_length(const char *host)
{
    const char *end = *host == '[' ? strchr(host, ']') : NULL;
    size_t n = *host == '[' ? end ? (size_t)(end - host) + 1 : 0 : strcspn(host, ":");
    const char *port = host + n;
    if (n > 0 && *port == ':')
        for (port++; isdigit((unsigned char)*port); port++)
            ;
    return *port ? 0 : n;
}

static bool is_number(const char *host, size_t n)
{
    static const char v4[] = "0123456789.", v6[] = "0123456789abcdefABCDEF:.";
    bool six = *host == '[';
    for (size_t i = six ? 1 : 0; i < n - (six ? 1 : 0); i++)
        if (!strchr(six ? v6 : v4, host[i]))
            return false;
    return true;
}

bool ss_web_host_allowed(const char *host)
{
    size_t n = host ? name_length(host) : 0;
    return n > 0 && ((n == 9 && strncasecmp(host, "localhost", n) == 0) || is_number(host, n));
}

bool ss_web_origin_allowed(const char *origin, const char *host)
{
    static const char *const schemes[] = {"http://", "https://"};
    if (!origin || !*origin)
        return true;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t n = strlen(schemes[i]);
        if (strncasecmp(origin, schemes[i], n) == 0)
            return host && strcasecmp(origin + n, host) == 0;
    }
    return false;
}

bool ss_web_token_equal(const char *given, const char *token)
{
    size_t n = strlen(token);
    unsigned differs = strlen(given) != n;
    for (size_t i = 0; i < n; i++)
        differs |= (unsigned)(given[differs ? 0 : i] ^ token[i]);
    return differs == 0;
}
