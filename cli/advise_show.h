/* SPDX-License-Identifier: MIT */
/* advise_show.h: what `ordo advise` prints, as sentences and a table, or as members of one JSON
   object. */
#ifndef ORDO_CLI_ADVISE_SHOW_H
#define ORDO_CLI_ADVISE_SHOW_H

#include "common.h"
#include "measure.h"
#include "ordo_advise.h"

/* Whether larger limits of the device are all that keeps the option from fitting. */
bool needs_limits(const ordo_option *option);

/* What was measured of a file's numbers, or of its points. distances: keys of text are the
   distances of integers to the least. */
void show_keys(const numbers *n, const key_facts *facts, bool distances, bool json);
void show_points(const ordo_question *question, bool json);

/* The answer, and the other options. In JSON it closes the object. */
void show_advice(const ordo_question *question, const ordo_advice *advice, bool json);

#endif
