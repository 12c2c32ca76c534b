/* The data of charts for other programs: `copy data`, `export data`, and `copy image`. See
 * state.h. Main thread only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"
#include "ui/view/state.h"

/* The chart that a command means, as CSV; what: "312 rows of the chart 'plot'". NULL with an
 * error. */
static char *csv_of(ss_ui *ui, const char *verb, const char *name, const ss_snapshot *snap,
                    char *what, size_t size, ss_err *err)
{
    int chart = name ? ss_chart_named(ui, name, err) : ss_chart_chosen(ui), rows = 0;
    if (chart < 0) {
        if (!name)
            ss_fail(err, "%s: there is no chart on the screen", verb);
        return NULL;
    }
    char note[96] = "";
    if (snap)
        ss_edited_words(&snap->edited, note, sizeof note);
    char *csv = ss_chart_csv(&ui->scene.chart[chart], note, &rows);
    if (!csv)
        ss_fail(err, "out of memory: the data of a chart");
    snprintf(what, size, "%d rows of the chart '%s'", rows, ss_chart_name(ui, chart));
    return csv;
}

int ss_copy_data(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *name = cmd->argc > 1 ? cmd->arg[1] : NULL;
    char *csv = csv_of(ui, "copy data", name, snap, ui->copy.what, sizeof ui->copy.what, err);
    if (!csv)
        return SS_FAIL;
    free(ui->copy.data);
    ui->copy.data = csv;
    ui->copy.waiting = true;
    return SS_OK;
}

int ss_copy_image(ss_ui *ui, ss_err *err)
{
    (void)err;
    ui->copy.picture = true;
    return SS_OK;
}

int ss_export_data(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    char what[96], text[200];
    ss_outfile file;
    char *csv = csv_of(ui, "export data", NULL, snap, what, sizeof what, err);
    int status = csv ? ss_outfile_open(&file, cmd->arg[1], err) : SS_FAIL;
    if (status == SS_OK) {
        fputs(csv, file.stream);
        status = ss_outfile_close(&file, true, err);
    }
    free(csv);
    snprintf(text, sizeof text, "wrote %s to %.90s", what, cmd->arg[1]);
    if (status == SS_OK)
        ss_ui_say(ui, false, text);
    return status;
}

bool ss_ui_take_picture(ss_ui *ui)
{
    bool wanted = ui->copy.picture;
    ui->copy.picture = false;
    return wanted;
}
