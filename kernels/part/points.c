/* Where the points of a part lie: in memory, or on a device. See inner.h. */
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/simd/memory.h"
#include "kernels/part/inner.h"

/* --- allocation ------------------------------------------------------------------------------- */

static int allocate_in_memory(ss_part_run *part, ss_err *err)
{
    bool steady = part->run->eq->kind == SS_STEADY;
    int fields = steady ? SS_PART_FIELDS : 2;
    size_t width = 32768 / ss_prec_size(part->run->prec); /* of a strip: see sweep.c */
    size_t sums = ((size_t)part->box.nx / width + 5) * ((size_t)part->box.ny + 5);
    part->stream = 3 * part->bytes > ss_memory_cache();
    for (int i = 0; i < fields; i++)
        if (!(part->array[i] = ss_alloc(part->bytes, "the field", err)))
            return SS_FAIL;
    if (part->run->eq->rhs &&
        !(part->array[SS_PART_RIGHT] = ss_alloc(part->bytes, "the right-hand side", err)))
        return SS_FAIL;
    if (steady && !(part->sum = ss_alloc(sums * sizeof *part->sum, "sums of the rows", err)))
        return SS_FAIL;
    return SS_OK;
}

int ss_part_allocate(ss_part_run *part, ss_err *err)
{
    bool ring = part->run->eq->bc == SS_BC_PERIODIC;
    ss_part_box stored = ring ? part->stored : ss_part_stored(part);
    part->bytes = part->box.count * ss_prec_size(part->run->prec) * (size_t)part->run->eq->nfield;
    part->device = part->setup.schedule->device ? part->setup.device : NULL;
    if (part->device)
        return part->device->open(part->run, &stored, part->setup.which, &part->on_device, err);
    return allocate_in_memory(part, err);
}

void ss_part_free(ss_part_run *part)
{
    for (int i = 0; i < SS_PART_ARRAYS; i++) {
        free(part->array[i]);
        free(part->seen[i]);
    }
    free(part->sum);
    free(part->frozen);
    if (part->on_device)
        part->device->close(part->on_device);
}

bool ss_part_failed(const ss_part_run *part)
{
    return part->failed;
}

/* --- copies ----------------------------------------------------------------------------------- */

/* Remembers that a call of the device has failed. */
static int checked(ss_part_run *part, int status)
{
    part->failed |= status != SS_OK;
    return status;
}

int ss_part_copy(ss_part_run *part, int array, int field, const ss_part_box *box, char *data,
                 ptrdiff_t pitch, bool up, ss_err *err)
{
    size_t row = (size_t)(box->x1 - box->x0) * ss_prec_size(part->run->prec);
    if (part->device)
        return checked(
            part, part->device->copy(part->on_device, array, field, box, data, pitch, up, err));
    for (int y = box->y0; y < box->y1; y++, data += pitch) {
        char *at = part->array[array] + ss_part_offset(part, field, box->x0, y);
        memcpy(up ? at : data, up ? data : at, row);
    }
    return SS_OK;
}

int ss_part_copied(ss_part_run *part, ss_err *err)
{
    return part->device ? checked(part, part->device->copied(part->on_device, err)) : SS_OK;
}

int ss_part_settle(ss_part_run *part, ss_err *err)
{
    double ignored;
    return part->device ? checked(part, part->device->finish(part->on_device, &ignored, err))
                        : SS_OK;
}

const char *ss_part_look(ss_part_run *part, int array, int y0, int y1, ss_err *err)
{
    ss_part_box box = ss_part_stored(part);
    char **seen = &part->seen[array == SS_PART_RIGHT ? SS_PART_RIGHT : 0];
    if (!part->device)
        return part->array[array];
    if (!*seen && !(*seen = ss_alloc(part->bytes, "a copy of the device's rows", err)))
        return NULL;
    box.y0 = y0;
    box.y1 = y1;
    ptrdiff_t pitch = part->box.sy * (ptrdiff_t)ss_prec_size(part->run->prec);
    for (int f = 0; f < part->run->eq->nfield; f++) {
        char *at = *seen + ss_part_offset(part, f, box.x0, box.y0);
        if (ss_part_copy(part, array, f, &box, at, pitch, false, err) != SS_OK)
            return NULL;
    }
    return ss_part_copied(part, err) == SS_OK ? *seen : NULL;
}
