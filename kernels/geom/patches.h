/*
 * Patches: boxes of cells, each with a layer of ghost cells of its own, that make up the domain of
 * a 3D problem. Either px * py * pz equal ones side by side, which tell each other their outermost
 * cells at the end of a step, or a few of different sizes that know nothing of each other and are
 * only shown side by side along x. Written once for both backends and for pictures; valid as C11
 * and CUDA C++17. Source: the paper on block-relaxation smoothers for structured patches, section
 * 2; numerics section 6.
 *
 * Cells of a patch count from 0 with x fastest, as does the domain's window that contains them all;
 * a cell of the window that is of no patch has no value.
 */
#ifndef SS_GEOM_PATCHES_H
#define SS_GEOM_PATCHES_H

#include "src/base.h"

#define SS_WALL_SIDE (-1) /* beyond that side there is nothing */

typedef struct ss_patch {
    ss_box box;  /* in the one array that holds all patches: box.first counts from its start */
    int at[3];   /* of its first cell, in the window */
    int side[6]; /* the patch beyond side 2d (lower end of direction d) and 2d + 1, or SS_WALL_SIDE
                  */
} ss_patch;

#endif
