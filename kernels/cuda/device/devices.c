/* The value of the parameter `devices`: see devices.h. */
#include "kernels/cuda/device/devices.h"

#include <stdlib.h>

static bool is_named(const ss_cuda_devices *d, long number)
{
    for (int i = 0; i < d->count; i++)
        if (d->of[i] == number)
            return true;
    return false;
}

static int add(ss_cuda_devices *d, long number, int present, bool twice, ss_err *err)
{
    if (number < 0 || number >= present)
        return present > 1
                   ? ss_fail(err, "devices: there is no device %ld: choose among 0\xe2\x80\xa6%d",
                             number, present - 1)
                   : ss_fail(err, "devices: there is no device %ld: this machine has one, device 0",
                             number);
    if (!twice && is_named(d, number))
        return ss_fail(err, "devices: device %ld is named twice: name each device once", number);
    if (d->count == SS_CUDA_DEVICES_MAX)
        return ss_fail(err, "devices: a run is divided among at most %d devices",
                       SS_CUDA_DEVICES_MAX);
    d->of[d->count++] = (int)number;
    return SS_OK;
}

int ss_cuda_devices_parse(const char *text, int present, bool twice, ss_cuda_devices *out,
                          ss_err *err)
{
    *out = (ss_cuda_devices){1, {0}};
    if (!text)
        return SS_OK;
    out->count = 0;
    for (const char *at = text;; at++) {
        char *end;
        bool digit = *at >= '0' && *at <= '9';
        long number = digit ? strtol(at, &end, 10) : -1;
        if (!digit || (*end != ',' && *end != '\0'))
            return ss_fail(err, "devices: '%.60s' is no list of device numbers: write it as 0,1",
                           text);
        if (add(out, number, present, twice, err) != SS_OK)
            return SS_FAIL;
        if (*end == '\0')
            return SS_OK;
        at = end;
    }
}

bool ss_cuda_devices_single(const ss_cuda_devices *d)
{
    return d->count == 1 && d->of[0] == 0;
}
