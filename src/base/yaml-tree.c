/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/yaml-tree.h"

#include <errno.h>
#include <string.h>
#include <yaml.h>

#include "base/file.h"

/* The state of one parse. `top` is the innermost open mapping or sequence. */
struct builder {
	struct hn_arena *arena;
	struct hn_diag *diag;
	const char *file;
	struct hn_yaml_node *root;
	struct hn_yaml_node *top;
	uint32_t depth;
	uint32_t nr_nodes;
	bool is_ended;
	/* A key read and its value still to come: valid where key is not NULL. */
	const char *key;
	uint32_t key_line, key_column;
};

static uint32_t one_based(size_t zero_based)
{
	return zero_based < UINT32_MAX ? (uint32_t)zero_based + 1 : UINT32_MAX;
}

#define refuse(b, mark, err, ...)                                                          \
	hn_diag_at((b)->diag, (err), (b)->file, one_based((mark).line), one_based((mark).column), \
		   __VA_ARGS__)

static bool has_key(const struct hn_yaml_node *map, const char *key)
{
	return hn_yaml_find(map, key) != NULL;
}

static int take_key(struct builder *b, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;

	if (!text[0])
		return refuse(b, event->start_mark, -EINVAL, "empty key");
	if (has_key(b->top, text))
		return refuse(b, event->start_mark, -EINVAL, "key '%s' stands twice in one mapping",
			      text);
	if (b->top->nr_children >= HN_YAML_KEYS_MAX)
		return refuse(b, event->start_mark, -E2BIG, "more than %d keys in one mapping",
			      HN_YAML_KEYS_MAX);
	b->key = hn_arena_strdup(b->arena, text);
	b->key_line = one_based(event->start_mark.line);
	b->key_column = one_based(event->start_mark.column);
	return 0;
}

static bool wants_key(const struct builder *b)
{
	return b->top && b->top->kind == HN_YAML_MAP && !b->key;
}

static void link_child(struct hn_yaml_node *parent, struct hn_yaml_node *child)
{
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
	parent->nr_children++;
}

/* A new node, linked where the parse stands. */
static int add_node(struct builder *b, const yaml_event_t *event, enum hn_yaml_kind kind,
		    struct hn_yaml_node **ret_node)
{
	struct hn_yaml_node *node;

	if (wants_key(b))
		return refuse(b, event->start_mark, -EINVAL, "a key must be a plain word");
	if (++b->nr_nodes > HN_YAML_NODES_MAX)
		return refuse(b, event->start_mark, -E2BIG, "more than %d values in one file",
			      HN_YAML_NODES_MAX);
	node = HN_ARENA_NEW(b->arena, struct hn_yaml_node);
	node->kind = kind;
	node->file = b->file;
	node->line = one_based(event->start_mark.line);
	node->column = one_based(event->start_mark.column);
	node->key = b->key;
	node->key_line = b->key_line;
	node->key_column = b->key_column;
	node->parent = b->top;
	b->key = NULL;
	if (b->top)
		link_child(b->top, node);
	else
		b->root = node;
	*ret_node = node;
	return 0;
}

static int open_node(struct builder *b, const yaml_event_t *event, enum hn_yaml_kind kind)
{
	struct hn_yaml_node *node;
	int err;

	if (b->depth >= HN_YAML_DEPTH_MAX)
		return refuse(b, event->start_mark, -E2BIG, "nested deeper than %d levels",
			      HN_YAML_DEPTH_MAX);
	err = add_node(b, event, kind, &node);
	if (err)
		return err;
	b->top = node;
	b->depth++;
	return 0;
}

static int close_node(struct builder *b)
{
	b->top = b->top->parent;
	b->depth--;
	return 0;
}

static int take_scalar(struct builder *b, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;
	struct hn_yaml_node *node;
	int err;

	if (strlen(text) != event->data.scalar.length)
		return refuse(b, event->start_mark, -EINVAL, "a text contains a zero byte");
	if (wants_key(b))
		return take_key(b, event);
	err = add_node(b, event, HN_YAML_SCALAR, &node);
	if (err)
		return err;
	node->text = hn_arena_strdup(b->arena, text);
	node->is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	return 0;
}

static int check_decoration(struct builder *b, const yaml_event_t *event,
			    const yaml_char_t *anchor, const yaml_char_t *tag)
{
	if (anchor)
		return refuse(b, event->start_mark, -EINVAL, "anchors ('&%s') are not supported",
			      (const char *)anchor);
	if (tag)
		return refuse(b, event->start_mark, -EINVAL, "tags ('%s') are not supported",
			      (const char *)tag);
	return 0;
}

static int start_document(struct builder *b, const yaml_event_t *event)
{
	if (b->root)
		return refuse(b, event->start_mark, -EINVAL,
			      "a second document begins, expected one");
	return 0;
}

static int check_event(struct builder *b, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return check_decoration(b, event, event->data.scalar.anchor,
					event->data.scalar.tag);
	case YAML_SEQUENCE_START_EVENT:
		return check_decoration(b, event, event->data.sequence_start.anchor,
					event->data.sequence_start.tag);
	case YAML_MAPPING_START_EVENT:
		return check_decoration(b, event, event->data.mapping_start.anchor,
					event->data.mapping_start.tag);
	default:
		return 0;
	}
}

static int take_event(struct builder *b, const yaml_event_t *event)
{
	int err = check_event(b, event);

	if (err)
		return err;
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return take_scalar(b, event);
	case YAML_SEQUENCE_START_EVENT:
		return open_node(b, event, HN_YAML_SEQ);
	case YAML_MAPPING_START_EVENT:
		return open_node(b, event, HN_YAML_MAP);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return close_node(b);
	case YAML_ALIAS_EVENT:
		return refuse(b, event->start_mark, -EINVAL, "aliases ('*%s') are not supported",
			      (const char *)event->data.alias.anchor);
	case YAML_DOCUMENT_START_EVENT:
		return start_document(b, event);
	case YAML_STREAM_END_EVENT:
		b->is_ended = true;
		return 0;
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_DOCUMENT_END_EVENT:
		return 0;
	}
	return 0;
}

/* Errors of the reader (bad UTF-8) come with a byte offset but without a line. */
static int refuse_syntax(struct builder *b, const yaml_parser_t *parser)
{
	const char *problem = parser->problem ? parser->problem : "cannot be parsed";
	yaml_mark_t mark = parser->problem_mark;

	if (parser->error == YAML_READER_ERROR)
		mark = parser->mark;
	return refuse(b, mark, -EINVAL, "not valid YAML: %s", problem);
}

static int run_parser(struct builder *b, yaml_parser_t *parser)
{
	while (!b->is_ended) {
		yaml_event_t event;
		int err;

		if (!yaml_parser_parse(parser, &event))
			return refuse_syntax(b, parser);
		err = take_event(b, &event);
		yaml_event_delete(&event);
		if (err)
			return err;
	}
	return 0;
}

int hn_yaml_parse(struct hn_arena *arena, const char *file_name, const char *bytes,
		  size_t nr_bytes, const struct hn_yaml_node **ret_root, struct hn_diag *diag)
{
	struct builder b = { .arena = arena, .diag = diag };
	yaml_parser_t parser;
	int err;

	if (nr_bytes > HN_YAML_FILE_BYTES_MAX)
		return hn_diag_at(diag, -E2BIG, file_name, 0, 0, "longer than %zu bytes",
				  HN_YAML_FILE_BYTES_MAX);
	if (!yaml_parser_initialize(&parser))
		return hn_diag_at(diag, -ENOMEM, file_name, 0, 0, "no memory for the YAML parser");
	b.file = hn_arena_strdup(arena, file_name);
	yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, nr_bytes);
	err = run_parser(&b, &parser);
	yaml_parser_delete(&parser);
	if (err)
		return err;
	if (!b.root)
		return hn_diag_at(diag, -EINVAL, file_name, 0, 0, "the file is empty");
	*ret_root = b.root;
	return 0;
}

int hn_yaml_load(struct hn_arena *arena, const char *path, const struct hn_yaml_node **ret_root,
		 struct hn_diag *diag)
{
	struct hn_file_text text;
	int err = hn_file_read(arena, path, HN_YAML_FILE_BYTES_MAX, &text, diag);

	if (err)
		return err;
	return hn_yaml_parse(arena, path, text.bytes, text.nr_bytes, ret_root, diag);
}
