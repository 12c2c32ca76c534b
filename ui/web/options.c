/* Ports and address: see options.h. */
#include "ui/web/options.h"

#include <arpa/inet.h>

#include "src/core/registry.h"

// clang-format off
ss_param ss_web_params[SS_WEB_NPARAM] = {
    [SS_WEB_PORT] = {.name = "port", .symbol = "port", .unit = "", .group = "Browser",
                  .type = SS_INT, .def = 8765, .min = 0, .max = 65535, .zero = "any",
                  .flags = SS_P_APP, .help = "port of this machine for the page that steers"},
    [SS_WEB_WATCH_PORT] = {.name = "watch-port", .symbol = "watch-port", .unit = "",
                        .group = "Browser", .type = SS_INT, .min = 0, .max = 65535, .zero = "none",
                        .flags = SS_P_APP, .help = "port for pages that only watch"},
    [SS_WEB_WATCH_ADDRESS] = {.name = "watch-address", .symbol = "watch-address", .unit = "",
                           .group = "Browser", .type = SS_STRING, .def_text = "127.0.0.1",
                           .flags = SS_P_APP,
                           .help = "address of the watchers' port; 0.0.0.0: all of this machine's"},
};
// clang-format on

static const ss_param *option(int row)
{
    const ss_param *found = ss_param_find(ss_options(), ss_web_params[row].name, NULL);
    return found == &ss_web_params[row] ? found : NULL;
}

int ss_web_asked_port(int row)
{
    return option(row) ? (int)ss_config_value(ss_options(), option(row)).i : 0;
}

const char *ss_web_asked_address(void)
{
    const char *text = option(SS_WEB_WATCH_ADDRESS)
                           ? ss_config_value(ss_options(), option(SS_WEB_WATCH_ADDRESS)).s
                           : NULL;
    return text && *text ? text : ss_web_params[SS_WEB_WATCH_ADDRESS].def_text;
}

int ss_web_check(ss_err *err)
{
    struct in_addr four;
    const char *address = ss_web_asked_address();
    int port = ss_web_asked_port(SS_WEB_PORT);
    if (inet_pton(AF_INET, address, &four) != 1)
        return ss_fail(err, "--watch-address: '%.60s' is no address; 127.0.0.1 and 0.0.0.0 are",
                       address);
    if (port > 0 && port == ss_web_asked_port(SS_WEB_WATCH_PORT))
        return ss_fail(err, "--port and --watch-port are both %d: give two different ones", port);
    return SS_OK;
}
