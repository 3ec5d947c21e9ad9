/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stop.h - SIGINT and SIGTERM end the work at the next safe point.
 *
 * The handler only sets a flag, which is what the engine polls. A second signal ends the program
 * at once. */
#ifndef HN_CLI_STOP_H
#define HN_CLI_STOP_H

void cli_stop_init(void);

/* Non-zero, the signal's number, once one came. */
const volatile int *cli_stop_flag(void);

/* Says that nothing was written and returns the exit status, 128 + signal. */
int cli_stop_report(void);

#endif
