/* An unsorted list is enough: few strings are interned: those typed by a user, and what
 * kernels were compiled from. See intern.h. */
#include "src/base/intern.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
    struct node *next;
    char text[];
} node;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static node *all; /* under lock */

const char *ss_intern(const char *text)
{
    pthread_mutex_lock(&lock);
    node *n = all;
    while (n && strcmp(n->text, text) != 0)
        n = n->next;
    size_t size = strlen(text) + 1;
    if (!n && (n = malloc(sizeof *n + size))) {
        memcpy(n->text, text, size);
        n->next = all;
        all = n;
    }
    pthread_mutex_unlock(&lock);
    return n ? n->text : NULL;
}

void ss_intern_free(void)
{
    while (all) {
        node *n = all;
        all = n->next;
        free(n);
    }
}
