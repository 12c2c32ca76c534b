/*
 * The operations of a stream of bytes. An operation is its number, a byte, and its arguments, in
 * the order of the table. Two bytes are a number, the low one first.
 *
 *   c  coordinate, two bytes with sign: 1/8 pixel
 *   u  length, the same, not negative       p  length, the same, above 0
 *   a  angle, a byte: 1/64 of a turn        b  byte
 *   n  number, two bytes, above 0           r  colour, three bytes: red, green, blue
 *
 * Some are followed by more, which is told behind "more:". Private to ui/pen. Any thread.
 */
#ifndef SS_PEN_OPS_H
#define SS_PEN_OPS_H

/* clang-format off */
#define SS_OPS(OP)                                                                                 \
    OP(COLOR, "rb")       /* red, green, blue; alpha of 255 */                                     \
    OP(RAMP, "ccccb")     /* from, to, number of colours; more: r each */                          \
    OP(WIDTH, "u")                                                                                 \
    OP(DASH, "b")         /* number of lengths; more: u each */                                    \
    OP(JOIN, "b")         /* ss_join */                                                            \
    OP(MOVE, "cc")                                                                                 \
    OP(LINE, "cc")                                                                                 \
    OP(RECT, "cccc")      /* x, y, width, height */                                                \
    OP(ARC, "ccuaa")      /* centre, radius, from, to */                                           \
    OP(ELLIPSE, "ccpp")   /* centre, radii */                                                      \
    OP(CLOSE, "")                                                                                  \
    OP(FILL, "")                                                                                   \
    OP(FILL_KEEP, "")                                                                              \
    OP(STROKE, "")                                                                                 \
    OP(CLIP, "")                                                                                   \
    OP(SAVE, "")                                                                                   \
    OP(RESTORE, "")                                                                                \
    OP(CURVE, "ccuun")    /* rectangle around it, number of points; more: cc each */               \
    OP(TEXT, "ccpubb")    /* left end on the baseline, size of the font, width, SS_TEXT_ flags,    \
                             bytes; more: UTF-8 */                                                 \
    OP(PALETTE, "b")      /* highest level; more: r of each level from 0 on */                     \
    OP(IMAGE, "ccuunnb")  /* x, y, width, height, cells across and down, SS_IMAGE_ flags;          \
                             more: of HATCH r, b: rows moved, b per row of cells: is it hatched?   \
                             then b per cell: its level */
/* clang-format on */

#define SS_OP_NUMBER(name, arguments) SS_OP_##name,
enum { SS_OPS(SS_OP_NUMBER) SS_NOP };
#undef SS_OP_NUMBER

enum { SS_IMAGE_SMOOTH = 1, SS_IMAGE_HATCH = 2, SS_IMAGE_FLAGS = 4 };
enum { SS_TEXT_MONO = 1, SS_TEXT_BOLD = 2, SS_TEXT_FLAGS = 4 };

#define SS_UNIT 8.0         /* of a pixel */
#define SS_TURN 64          /* parts of a turn */
#define SS_FAR 4095         /* pixels: the farthest coordinate */
#define SS_TOP_LEVEL 255    /* levels 255 and 256 of an image share it */
#define SS_PLAY_DEPTH 16    /* most states that are saved at once */
#define SS_FONT_PIXELS 1024 /* the largest font */

#endif
