/*
 * Who may connect. A page of any site can open sockets to this machine, so a request must come
 * from a page of the same host; on the pilot's port it names this machine as its host, and the
 * pilot knows the token. Pure functions.
 */
#ifndef SS_WEB_GUARD_H
#define SS_WEB_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Is it a name of this machine that no other site can take: a number, or localhost? `host` is the
 * header, with or without a port. */
bool ss_web_host_allowed(const char *host);
/* Did a page of that host send it? origin: the header; NULL or "": not from a page. */
bool ss_web_origin_allowed(const char *origin, const char *host);
/* Compares in a time that does not tell how much is equal. */
bool ss_web_token_equal(const char *given, const char *token);

#endif
