/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "topo/topo.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/strbuf.h"
#include "topo/machine-model.h"
#include "topo/readers.h"

#define MODELS_MAX 1024
#define MODEL_NAME_BYTES 65 /* as long as hn_nearest() compares */
#define SUFFIX ".yaml"

struct names {
	const char **list; /* ascending */
	uint32_t nr;
};

/* A name is letters, digits and - + . _, and nothing that could leave the folder. */
static bool is_model_name(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "-+._");

	return len && len < MODEL_NAME_BYTES && !text[len] && text[0] != '.';
}

static const char *model_path(struct hn_arena *arena, const char *data_dir, const char *name)
{
	struct hn_strbuf path;

	hn_strbuf_init(&path, arena);
	hn_strbuf_addf(&path, "%s/machines/%s" SUFFIX, data_dir, name);
	return path.text;
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_name(struct hn_arena *arena, struct names *names, const char *file)
{
	size_t len = strlen(file), suffix_len = strlen(SUFFIX);
	char *name;

	if (len <= suffix_len || strcmp(file + len - suffix_len, SUFFIX) ||
	    names->nr >= MODELS_MAX)
		return;
	name = hn_arena_strdup(arena, file);
	name[len - suffix_len] = '\0';
	if (is_model_name(name))
		names->list[names->nr++] = name;
}

static int list_names(struct hn_arena *arena, const char *data_dir, struct names *ret_names,
		      struct hn_diag *diag)
{
	struct names names = { .list = HN_ARENA_ARRAY(arena, const char *, MODELS_MAX) };
	struct hn_strbuf path;
	struct dirent *entry;
	DIR *dir;
	int err;

	hn_strbuf_init(&path, arena);
	hn_strbuf_addf(&path, "%s/machines", data_dir);
	dir = opendir(path.text);
	if (!dir) {
		err = -errno;
		return hn_diag_set(diag, err, "cannot open the machine models in '%s': %s",
				   path.text, strerror(-err));
	}
	while ((entry = readdir(dir)))
		add_name(arena, &names, entry->d_name);
	closedir(dir);
	qsort(names.list, names.nr, sizeof(*names.list), compare_names);
	*ret_names = names;
	return 0;
}

static int refuse_unknown(struct hn_arena *arena, const char *data_dir, const char *what,
			  const char *spec, struct hn_diag *diag)
{
	char hint[HN_NEAREST_HINT_BYTES] = "";
	struct names names = { 0 };
	int err = list_names(arena, data_dir, &names, diag);

	if (err)
		return err;
	return hn_diag_set(diag, -ENOENT, "unknown %s '%.200s': no model, file or folder has that "
			   "name%s", what, spec,
			   hn_nearest_hint(hint, spec, names.list, names.nr));
}

/* A model by name or by the path of a YAML file. */
static int load_model(struct hn_arena *arena, const char *data_dir, const char *spec,
		      struct hn_model **ret_model, struct hn_diag *diag)
{
	if (is_model_name(spec)) {
		const char *path = model_path(arena, data_dir, spec);

		if (is_file(path))
			return hn_model_load(arena, path, ret_model, diag);
	}
	if (is_file(spec))
		return hn_model_load(arena, spec, ret_model, diag);
	return refuse_unknown(arena, data_dir, "machine model", spec, diag);
}

static int read_live(struct hn_layout *layout, struct hn_diag *diag)
{
	hn_layout_init(layout, layout->arena, "the running system's sysfs");
	return hn_topo_read_sysfs(layout, "", diag);
}

static int read_tree(struct hn_layout *layout, const char *root, struct hn_diag *diag)
{
	struct hn_strbuf origin;

	hn_strbuf_init(&origin, layout->arena);
	hn_strbuf_addf(&origin, "recorded sysfs tree '%s'", root);
	hn_layout_init(layout, layout->arena, origin.text);
	return hn_topo_read_sysfs(layout, root, diag);
}

/* XML begins with '<' after blanks and a byte order mark. */
static bool is_xml(const char *text)
{
	if (!strncmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	return text[strspn(text, " \t\r\n")] == '<';
}

static int read_file(struct hn_layout *layout, const char *path, struct hn_diag *diag)
{
	struct hn_file_text text;
	struct hn_strbuf origin;
	int err = hn_file_read(layout->arena, path, HN_TOPO_XML_BYTES_MAX, &text, diag);

	if (err)
		return err;
	hn_strbuf_init(&origin, layout->arena);
	hn_strbuf_addf(&origin, "%s '%s'", is_xml(text.bytes) ? "hwloc XML" : "numactl text",
		       path);
	hn_layout_init(layout, layout->arena, origin.text);
	if (is_xml(text.bytes))
		return hn_topo_read_xml(layout, text.bytes, text.nr_bytes, diag);
	if (!strstr(text.bytes, "node"))
		return hn_diag_at(diag, -EINVAL, path, 0, 0, "neither hwloc XML nor the text of "
				  "'numactl -H' nor a machine model");
	if (text.nr_bytes > HN_TOPO_NUMACTL_BYTES_MAX)
		return hn_diag_at(diag, -E2BIG, path, 0, 0, "longer than %zu bytes, which no text "
				  "of 'numactl -H' is", HN_TOPO_NUMACTL_BYTES_MAX);
	return hn_topo_read_numactl(layout, path, text.bytes, diag);
}

static int read_synthetic(struct hn_layout *layout, const char *spec, struct hn_diag *diag)
{
	struct hn_strbuf origin;

	hn_strbuf_init(&origin, layout->arena);
	hn_strbuf_addf(&origin, "hwloc synthetic description '%s'", spec);
	hn_layout_init(layout, layout->arena, origin.text);
	return hn_topo_read_synthetic(layout, spec, diag);
}

static int fill_layout(struct hn_layout *layout, const char *data_dir, const char *spec,
		       struct hn_diag *diag)
{
	if (!strcmp(spec, "live"))
		return read_live(layout, diag);
	if (is_directory(spec))
		return read_tree(layout, spec, diag);
	if (is_file(spec))
		return read_file(layout, spec, diag);
	if (hn_topo_is_synthetic(spec))
		return read_synthetic(layout, spec, diag);
	if (strchr(spec, ':') && strchr(spec, ' '))
		return hn_diag_set(diag, -EINVAL, "'%.200s' is not an hwloc synthetic description, "
				   "such as 'pack:2 [numa] l3:1 core:4 pu:2'", spec);
	return refuse_unknown(layout->arena, data_dir, "machine", spec, diag);
}

/* "dir/name.xml" gives "name"; "/" and the like give themselves. */
static const char *derive_name(struct hn_arena *arena, const char *spec)
{
	const char *slash = strrchr(spec, '/');
	char *name;
	char *dot;

	if (!slash || !slash[1])
		return hn_arena_strdup(arena, spec);
	name = hn_arena_strdup(arena, slash + 1);
	dot = strrchr(name, '.');
	if (dot && dot != name)
		*dot = '\0';
	return name;
}

static bool has_suffix(const char *text, const char *suffix)
{
	size_t len = strlen(text), suffix_len = strlen(suffix);

	return len > suffix_len && !strcmp(text + len - suffix_len, suffix);
}

/* A machine that is a model itself: by name, or a YAML file. */
static int read_model_machine(struct hn_arena *arena, const char *data_dir, const char *spec,
			      struct hn_machine **ret_machine, struct hn_diag *diag)
{
	struct hn_model *own;
	int err = load_model(arena, data_dir, spec, &own, diag);

	if (!err)
		*ret_machine = own->machine;
	return err;
}

/* Complaints of the layout and of hwloc name no file; the one that was read is meant. */
static int add_place(const char *spec, int err, const struct hn_diag *inner,
		     struct hn_diag *diag)
{
	bool is_place = !inner->file[0] && (is_file(spec) || is_directory(spec));

	return hn_diag_at(diag, err, is_place ? spec : inner->file, inner->line, inner->column,
			  "%s", inner->text);
}

static int read_topology(struct hn_arena *arena, const char *data_dir, const char *spec,
			 struct hn_machine **ret_machine, struct hn_diag *diag)
{
	struct hn_layout *layout = HN_ARENA_NEW(arena, struct hn_layout);
	struct hn_diag inner = { 0 };
	struct hn_machine *m;
	int err;

	layout->arena = arena;
	err = fill_layout(layout, data_dir, spec, &inner);
	if (!err)
		err = hn_layout_finish(layout, &m, &inner);
	if (err)
		return add_place(spec, err, &inner, diag);
	m->name = derive_name(arena, spec);
	*ret_machine = m;
	return 0;
}

static bool is_model_spec(struct hn_arena *arena, const char *data_dir, const char *spec)
{
	if (is_model_name(spec) && is_file(model_path(arena, data_dir, spec)))
		return true;
	return (has_suffix(spec, SUFFIX) || has_suffix(spec, ".yml")) && is_file(spec);
}

/* Figures for a topology: from the model that was asked for, else derived. */
static int add_figures(struct hn_arena *arena, const char *data_dir, const char *model,
		       struct hn_machine *m, struct hn_diag *diag)
{
	struct hn_model *other;
	int err;

	if (!model) {
		hn_model_derive(arena, m);
		return 0;
	}
	err = load_model(arena, data_dir, model, &other, diag);
	if (!err)
		hn_model_project(arena, other->machine, m);
	return err;
}

int hn_topo_read(struct hn_arena *arena, const char *data_dir, const char *spec,
		 const char *model, struct hn_machine **ret_machine, struct hn_diag *diag)
{
	bool is_model = is_model_spec(arena, data_dir, spec);
	struct hn_machine *m;
	int err;

	if (model && is_model && !strcmp(model, spec))
		model = NULL;
	if (!spec[0])
		return hn_diag_set(diag, -EINVAL, "the name of the machine is empty");
	err = is_model ? read_model_machine(arena, data_dir, spec, &m, diag) :
	      read_topology(arena, data_dir, spec, &m, diag);
	if (!err && (model || !is_model))
		err = add_figures(arena, data_dir, model, m, diag);
	if (err)
		return err;
	hn_machine_check(m);
	*ret_machine = m;
	return 0;
}

int hn_topo_list(struct hn_arena *arena, const char *data_dir,
		 struct hn_topo_entry **ret_entries, uint32_t *ret_nr, struct hn_diag *diag)
{
	struct hn_topo_entry *entries;
	struct names names;
	int err = list_names(arena, data_dir, &names, diag);

	if (err)
		return err;
	entries = HN_ARENA_ARRAY(arena, struct hn_topo_entry, names.nr);
	for (uint32_t n = 0; n < names.nr; n++) {
		struct hn_model *model;

		err = hn_model_load(arena, model_path(arena, data_dir, names.list[n]), &model,
				    diag);
		if (err)
			return err;
		entries[n] = (struct hn_topo_entry){ .name = names.list[n],
						     .summary = model->summary };
	}
	*ret_entries = entries;
	*ret_nr = names.nr;
	return 0;
}
