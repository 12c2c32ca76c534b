/* What the pilot's page shows to a class: the watchers' address, and its QR code where libqrencode
 * is. See parts.h. */
#include <stdlib.h>

#ifdef SS_WITH_QRENCODE
#include <qrencode.h>
#endif

#include "ui/web/parts.h"

static void add_code(const char *url, FILE *to)
{
#ifdef SS_WITH_QRENCODE
    QRcode *code = QRcode_encodeString8bit(url, 0, QR_ECLEVEL_M);
    for (int i = 0; code && i < code->width * code->width; i++)
        fprintf(to, "%s%d", i % code->width == 0 ? "\n" : "", code->data[i] & 1);
    QRcode_free(code);
#else
    (void)url, (void)to;
#endif
}

char *ss_web_invitation(const char *url, bool here_only)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    fprintf(to, "watch %s%s", url,
            here_only ? " on this machine only: --watch-address 0.0.0.0 lets others in" : "");
    if (!here_only)
        add_code(url, to);
    fclose(to);
    return text;
}
