/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/stop.h"

#include <signal.h>
#include <string.h>

#include "cli/cli.h"

/* A handler can reach nothing else. */
static volatile int stop_signal;

static void note_signal(int signal)
{
	stop_signal = signal;
}

void cli_stop_init(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = note_signal;
	action.sa_flags = (int)SA_RESETHAND;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

const volatile int *cli_stop_flag(void)
{
	return &stop_signal;
}

int cli_stop_report(void)
{
	cli_complain("interrupted: nothing was written");
	return 128 + stop_signal;
}
