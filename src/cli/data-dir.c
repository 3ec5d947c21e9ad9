/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where machines/ and scenarios/ are. The build passes HN_DATADIR (installed) and HN_SOURCE_DIR. */
#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_folder(struct hn_arena *arena, const char *dir, const char *name)
{
	struct hn_strbuf path;
	struct stat st;

	hn_strbuf_init(&path, arena);
	hn_strbuf_addf(&path, "%s/%s", dir, name);
	return stat(path.text, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_data_dir(struct hn_arena *arena, const char *dir)
{
	return has_folder(arena, dir, "machines") && has_folder(arena, dir, "scenarios");
}

/* The folder above the one that this program is in: the sources, for build/homenode. */
static const char *find_above_program(struct hn_arena *arena)
{
	char *path = hn_arena_alloc(arena, PATH_MAX + 1);
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX);

	if (len <= 0)
		return NULL;
	for (int level = 0; level < 2; level++) {
		char *slash = strrchr(path, '/');

		if (!slash || slash == path)
			return NULL;
		*slash = '\0';
	}
	return path;
}

const char *cli_data_dir(struct cli *cli)
{
	const char *wanted = getenv("HOMENODE_DATA");
	const char *places[] = { find_above_program(cli->arena), HN_DATADIR, HN_SOURCE_DIR };

	if (cli->data_dir)
		return cli->data_dir;
	if (wanted && wanted[0]) {
		if (is_data_dir(cli->arena, wanted))
			return cli->data_dir = wanted;
		cli_complain("HOMENODE_DATA '%s': no folder with 'machines' and 'scenarios' in it",
			     wanted);
		return NULL;
	}
	for (uint32_t p = 0; p < HN_ARRAY_LEN(places); p++) {
		if (places[p] && is_data_dir(cli->arena, places[p]))
			return cli->data_dir = places[p];
	}
	cli_complain("cannot find the folder with 'machines' and 'scenarios'; name it in "
		     "HOMENODE_DATA");
	return NULL;
}
