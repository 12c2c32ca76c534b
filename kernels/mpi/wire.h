/*
 * What the program and the ranks say to each other, over sockets. Every rank dials the program and
 * says a line of hello. Rank 0 dials a second time: this connection carries commands and replies,
 * one at a time. The first connection of each rank is watched: its end says that the other side is
 * gone, a byte every SS_MPI_BEAT_MS says that the rank lives, and the program sends rank 0 the
 * number of a step that is to stop.
 *
 * Program and ranks are one build (the hello is refused otherwise), so structs travel as they are.
 */
#ifndef SS_MPI_WIRE_H
#define SS_MPI_WIRE_H

#include "kernels/part/part.h"

/* Where to dial, "PORT ADDRESS ADDRESS...", and the secret. */
#define SS_MPI_WHERE "STENCILSCOPE_RANKS_AT"
#define SS_MPI_TOKEN "STENCILSCOPE_RANKS_TOKEN"

enum { SS_MPI_WATCH, SS_MPI_COMMANDS }; /* the two connections */
#define SS_MPI_BEAT_MS 1000
#define SS_MPI_HELLO "stencilscope-rank"
#define SS_MPI_LINE                                                                                \
    512 /* bytes of a hello: name, version, build, token, connection, rank, ranks,                 \
           host; split by spaces, zero-padded */

typedef enum ss_mpi_verb {
    SS_MPI_OPEN,      /* payload: the config as text */
    SS_MPI_CLOSE,     /* gives the memory back; the ranks stay */
    SS_MPI_CONFIGURE, /* payload: the config as text */
    SS_MPI_RESET,
    SS_MPI_STEP,   /* batch; reply: done, payload: the norms */
    SS_MPI_FINISH, /* count: steps */
    SS_MPI_PUT,    /* which, field, box; payload: its values, dense */
    SS_MPI_GET,    /* which, field, box; reply payload: its values */
    SS_MPI_REDUCE, /* which: 1 if a reference was put (PUT with which SS_MPI_REFERENCE, doubles) */
    SS_MPI_WRITE,  /* the fields to a file, from byte `count` on; payload: its name */
    SS_MPI_CELLS,  /* view, with the size of the picture; reply payload: the fold */
    SS_MPI_QUIT,
    SS_MPI_NVERB
} ss_mpi_verb;

enum { SS_MPI_FIELD, SS_MPI_RHS, SS_MPI_REFERENCE }; /* which */
#define SS_MPI_CHUNK (8.0 * 1024 * 1024)             /* bytes of a PUT or GET, about */
#define SS_MPI_PICTURE (4.0 * 1024 * 1024)           /* read for a live picture: ss_reader */

typedef struct ss_mpi_command {
    int verb, which, field;
    ss_part_box box;
    int64_t count;
    uint64_t number; /* of the step, > 0 */
    ss_part_batch batch;
    ss_view view;
    uint64_t bytes; /* of the payload that follows */
} ss_mpi_command;

typedef struct ss_mpi_reply {
    int status;     /* SS_OK or SS_FAIL, with text */
    char text[320]; /* else, of OPEN and CONFIGURE: what the ranks compute on, if it is no matter of
                       course */
    int64_t cycles;
    int norms;
    bool stopped;
    ss_part_figures figures;
    uint64_t bytes;
} ss_mpi_reply;

/* Blocking; SS_FAIL: the connection has ended. Any thread, one at a time for each direction. */
int ss_wire_write(int fd, const void *data, size_t bytes);
int ss_wire_read(int fd, void *data, size_t bytes);
/* A new connection. far: to another machine, so that a cut wire ends it after about 12 s. Here it
 * lives as long as both processes, also while one of them is stopped. */
void ss_wire_open(int fd, bool far);

/* Choices of the row rank-device, in their order. */
enum { SS_RANK_AUTO, SS_RANK_CPU, SS_RANK_GPU };

/* The schedule of a config, from the engine ops of its combination, and its parameters. */
ss_part_setup ss_mpi_setup(const ss_config *cfg);

#endif
