/* See kernels.h. */
#include "src/snapshot/kernels.h"

#include <stdio.h>

#include "src/base/kernel_text.h"

/* "-" below 0: not known. */
static const char *number(double value, char buf[16])
{
    if (value < 0)
        return "-";
    snprintf(buf, 16, "%.0f", value);
    return buf;
}

static void resources(const ss_running_kernel *k, char *out, size_t size)
{
    char registers[16], local[16], shared[16];
    snprintf(out, size, "registers %s per thread, local %s bytes%s, shared %s bytes per block",
             number(k->registers, registers), number(k->local, local),
             k->local > 0 ? ": spilled registers or arrays" : "",
             number(k->fixed < 0 ? -1 : (double)k->fixed + k->dynamic, shared));
}

static void launch(const ss_running_kernel *k, char *out, size_t size)
{
    char blocks[16], resident[16], percent[48] = "-";
    if (k->resident >= 0 && k->most > 0)
        snprintf(percent, sizeof percent, "%.0f %% of %d threads",
                 100.0 * k->resident * k->threads / k->most, k->most);
    snprintf(out, size, "%s block%s of %d threads, %s block%s per SM: occupancy %s",
             number(k->blocks, blocks), k->blocks > 1 ? "s" : "", k->threads,
             number(k->resident, resident), k->resident == 1 ? "" : "s", percent);
}

int ss_kernel_facts_of(const ss_running_kernel *k, char out[SS_KERNEL_FACTS][SS_KERNEL_FACT])
{
    int n = 0;
    const char *text = k->text ? k->text : "";
    snprintf(out[n++], SS_KERNEL_FACT, "%s", k->entry);
    if (*ss_kernel_constants(text, k->entry, out[n], SS_KERNEL_FACT))
        n++;
    snprintf(out[n++], SS_KERNEL_FACT, "%s, line %d", k->file,
             ss_kernel_line(text, ss_kernel_begin(text, k->entry)));
    resources(k, out[n++], SS_KERNEL_FACT);
    launch(k, out[n++], SS_KERNEL_FACT);
    return n;
}

const char *ss_edited_hash(uint64_t hash, char buf[16])
{
    snprintf(buf, 16, "%012llx", (unsigned long long)(hash >> 16));
    return buf;
}

static const char *const edited_words[][2] = {
    [SS_BITS_UNKNOWN] = {"not compared with the CPU", "edited kernel"},
    [SS_BITS_SAME] = {"same bits as the CPU", "edited kernel: same bits"},
    [SS_BITS_DIFFER] = {"its field differs from the CPU's", "edited kernel: field differs"}};

const char *ss_edited_words(const ss_edited *e, char *buf, size_t size)
{
    char hash[16];
    *buf = '\0';
    if (e->hash != 0)
        snprintf(buf, size, "edited kernel %s, %s", ss_edited_hash(e->hash, hash),
                 edited_words[e->bits][0]);
    return buf;
}

const char *ss_edited_label(const ss_edited *e)
{
    return e->hash != 0 ? edited_words[e->bits][1] : "";
}
