/* The options of the front end `web`. Main thread. */
#ifndef SS_WEB_OPTIONS_H
#define SS_WEB_OPTIONS_H

#include "src/core/param.h"

enum { SS_WEB_PORT, SS_WEB_WATCH_PORT, SS_WEB_WATCH_ADDRESS, SS_WEB_NPARAM };

extern ss_param ss_web_params[SS_WEB_NPARAM];
int ss_web_check(ss_err *err);
int ss_web_asked_port(int row);
const char *ss_web_asked_address(void); /* "127.0.0.1" unless asked otherwise */

#endif
