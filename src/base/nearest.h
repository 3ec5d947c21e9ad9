/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nearest.h - the known name that somebody probably meant.
 *
 * Used for every "unknown name" message: keys of a file, machines, policies, options. Distance
 * is the number of letters inserted, deleted, replaced or exchanged with their neighbour, case
 * ignored. A name counts as near when at most a third of the letters of the longer of the two
 * (rounded up) differ; a word of which a name is a continuation counts as near at any length.
 * Of equally near names the first in the list wins.
 *
 *	word "lateny",   names latency, line      latency (1 apart, allowed 3)
 *	word "haswell",  names 2s-haswell         2s-haswell (3 apart, allowed 4)
 *	word "banana",   names latency            NULL (5 apart, allowed 3)
 *
 * Source: optimal string alignment distance, a restricted form of F. J. Damerau, "A technique
 * for computer detection and correction of spelling errors", CACM 7(3), 1964. */
#ifndef HN_BASE_NEAREST_H
#define HN_BASE_NEAREST_H

#include "base/types.h"

#define HN_NEAREST_LEN_MAX 64 /* longer words and names are never near to anything */
#define HN_NEAREST_HINT_BYTES 96

/* The distance of two words; UINT32_MAX where one is longer than HN_NEAREST_LEN_MAX. */
uint32_t hn_nearest_distance(const char *a, const char *b);

/* The nearest of names[0 .. nr-1], or NULL where none is near. */
const char *hn_nearest(const char *word, const char *const *names, uint32_t nr);

/* Writes " (did you mean 'NAME'?)" into buf, or an empty string; returns buf, for use as an
 * argument of a message. buf has HN_NEAREST_HINT_BYTES. */
const char *hn_nearest_hint(char *buf, const char *word, const char *const *names, uint32_t nr);

#endif
