/* The front ends in the order in which --ui auto tries them. Only this file and the Makefile list
 * them. */
#include "ui/scene/frontend.h"

#ifdef SS_WITH_PAGE
extern const ss_frontend ss_frontend_page;
#endif
#ifdef SS_WITH_NCURSES
extern const ss_frontend ss_frontend_tui;
#endif
#ifdef SS_WITH_SDL
extern const ss_frontend ss_frontend_sdl;
#endif
#ifdef SS_WITH_WEB
extern const ss_frontend ss_frontend_web;
#endif
extern const ss_frontend ss_frontend_text, ss_frontend_none;

const ss_frontend *const ss_frontends[] = {
#ifdef SS_WITH_PAGE
    &ss_frontend_page,
#endif
#ifdef SS_WITH_NCURSES
    &ss_frontend_tui,
#endif
#ifdef SS_WITH_SDL
    &ss_frontend_sdl,
#endif
    &ss_frontend_text,
    &ss_frontend_none,
#ifdef SS_WITH_WEB
    &ss_frontend_web, /* behind one that always opens: a server must be asked for */
#endif
    NULL};

const ss_frontend_need ss_frontends_missing[] = {
#ifndef SS_WITH_NCURSES
    {"tui", "ncurses, which the terminal needs"},
#endif
#ifndef SS_WITH_SDL
    {"sdl", "SDL2, cairo and pango, which a window needs"},
#endif
#if !defined(SS_WITH_WEB) && !defined(SS_WITH_PAGE)
    {"web", "libwebsockets and zlib, which a page in a browser needs"},
#endif
    {.name = NULL}};
