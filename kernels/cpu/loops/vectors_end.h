/* Undoes the macros of vectors.h. */
#undef vec
#undef unaligned_vec
#undef lane_numbers
#undef LANES
#undef LOAD
#undef STORE
#undef SPLAT
#undef LANE_LIST
#undef EAST
