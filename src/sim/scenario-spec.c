/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Specs of scenarios, and the folder they are in. */
#include "sim/scenario-internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/strbuf.h"

#define FILES_MAX 512
#define SPEC_BYTES_MAX 1024
#define YAML_SUFFIX ".yaml"

/* ---- folders ---- */

static bool has_suffix(const char *text, const char *suffix)
{
	size_t len = strlen(text), suffix_len = strlen(suffix);

	return len > suffix_len && !strcmp(text + len - suffix_len, suffix);
}

static char *copy_part(struct hn_arena *arena, const char *text, size_t len)
{
	char *copy = hn_arena_alloc(arena, len + 1);

	memcpy(copy, text, len);
	return copy;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int scn_list_names(struct hn_arena *arena, const char *dir, const char ***ret_names,
		   uint32_t *ret_nr, struct hn_diag *diag)
{
	const char **names = HN_ARENA_ARRAY(arena, const char *, FILES_MAX);
	const struct dirent *entry;
	DIR *stream = opendir(dir);
	uint32_t nr = 0;

	if (!stream)
		return hn_diag_set(diag, -errno, "cannot open folder '%s': %s", dir,
				   strerror(errno));
	while ((entry = readdir(stream)) && nr < FILES_MAX) {
		size_t len = strlen(entry->d_name);

		if (entry->d_name[0] == '.' || !has_suffix(entry->d_name, YAML_SUFFIX))
			continue;
		names[nr++] = copy_part(arena, entry->d_name, len - strlen(YAML_SUFFIX));
	}
	closedir(stream);
	qsort(names, nr, sizeof(*names), compare_names);
	*ret_names = names;
	*ret_nr = nr;
	return 0;
}

/* ---- specs ---- */

/* The colon in front of the parameters; the end where there are none. A path may have colons of
 * its own, so it is the last one that a '=' follows. */
static const char *find_params(const char *text)
{
	const char *end = text + strlen(text);
	const char *colon = strrchr(text, ':');

	if (!colon)
		return end;
	if (strchr(colon, '=') || !strchr(colon, '/'))
		return colon;
	return end;
}

static int refuse_spec(struct hn_diag *diag, const char *text, const char *found)
{
	return hn_diag_set(diag, -EINVAL,
			   "scenario '%.200s' has '%.100s', expected NAME:KEY=VALUE,KEY=VALUE",
			   text, found);
}

static int split_params(struct hn_arena *arena, const char *text, const char *params,
			struct scn_spec *spec, struct hn_diag *diag)
{
	const char *p = params;

	while (*p) {
		struct scn_given *given;
		size_t len, key_len;

		p++; /* ':' or ',' */
		len = strcspn(p, ",");
		key_len = strcspn(p, "=");
		if (key_len == 0 || key_len + 1 >= len)
			return refuse_spec(diag, text, params);
		if (spec->nr_given == SCN_PARAMS_MAX)
			return hn_diag_set(diag, -E2BIG,
					   "scenario '%.200s' has more than %d parameters", text,
					   SCN_PARAMS_MAX);
		given = &spec->given[spec->nr_given++];
		given->key = copy_part(arena, p, key_len);
		given->value = copy_part(arena, p + key_len + 1, len - key_len - 1);
		for (uint32_t g = 0; g + 1 < spec->nr_given; g++) {
			if (!strcmp(spec->given[g].key, given->key))
				return hn_diag_set(diag, -EINVAL,
						   "scenario '%.200s' has parameter '%.60s' twice",
						   text, given->key);
		}
		p += len;
	}
	return 0;
}

static int find_file(struct hn_arena *arena, const char *data_dir, const char *base,
		     struct scn_spec *spec, struct hn_diag *diag)
{
	char hint[HN_NEAREST_HINT_BYTES];
	const char *slash = strrchr(base, '/');
	const char **names;
	struct hn_strbuf path;
	uint32_t nr;
	int err;

	if (slash || has_suffix(base, YAML_SUFFIX)) {
		const char *file = slash ? slash + 1 : base;
		size_t len = strlen(file);

		if (has_suffix(file, YAML_SUFFIX))
			len -= strlen(YAML_SUFFIX);
		spec->name = copy_part(arena, file, len);
		spec->path = base;
		return 0;
	}
	hn_strbuf_init(&path, arena);
	hn_strbuf_addf(&path, "%s/scenarios", data_dir);
	err = scn_list_names(arena, path.text, &names, &nr, diag);
	if (err)
		return err;
	hn_strbuf_addf(&path, "/%s.yaml", base);
	spec->name = base;
	spec->path = path.text;
	for (uint32_t n = 0; n < nr; n++) {
		if (!strcmp(names[n], base))
			return 0;
	}
	return hn_diag_set(diag, -ENOENT, "unknown scenario '%.200s'%s", base,
			   hn_nearest_hint(hint, base, names, nr));
}

int scn_spec_parse(struct hn_arena *arena, const char *data_dir, const char *text,
		   struct scn_spec *ret_spec, struct hn_diag *diag)
{
	struct scn_spec *spec = HN_ARENA_NEW(arena, struct scn_spec);
	const char *params = find_params(text);
	int err;

	if (strlen(text) > SPEC_BYTES_MAX)
		return hn_diag_set(diag, -E2BIG, "scenario '%.60s...' is longer than %d bytes",
				   text, SPEC_BYTES_MAX);
	if (params == text)
		return refuse_spec(diag, text, "no name");
	err = split_params(arena, text, params, spec, diag);
	if (!err)
		err = find_file(arena, data_dir, copy_part(arena, text, (size_t)(params - text)),
				spec, diag);
	if (!err)
		*ret_spec = *spec;
	return err;
}
