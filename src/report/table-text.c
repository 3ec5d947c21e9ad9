/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spells a table whose numbers are all there. */
#include "report/table-internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABEL_CHARS 9  /* "CoeffVar" and a space */
#define VALUE_CHARS 12 /* as wide as MMTests has it */
#define GAIN_CHARS 11  /* " (-100.00%)" */
#define GAIN_PCT_WHOLE 999.995  /* from here on seven characters do not hold two decimals */
#define GAIN_PCT_LARGE 99999.5  /* and from here on only the magnitude is shown */
#define GAIN_PCT_ZERO 0.005     /* below, two decimals show nothing but a sign */
#define CELL_BYTES 352 /* a double in %f has at most 309 digits before the point */

struct layout {
	uint32_t name_chars;
	uint32_t value_chars;
	uint32_t gain_chars;
};

static uint32_t format_value(const struct hn_table_row *row, uint32_t c, char *buf)
{
	double value = row->cells[c].value;

	if (isnan(value))
		return (uint32_t)snprintf(buf, CELL_BYTES, "NaN");
	return (uint32_t)snprintf(buf, CELL_BYTES, "%.*f", (int)row->nr_decimals, value);
}

/* Spreads against a baseline that hardly varies give percentages of any size. */
static void format_pct(double pct, char *buf, size_t buf_bytes)
{
	if (isnan(pct))
		snprintf(buf, buf_bytes, "NaN");
	else if (fabs(pct) >= GAIN_PCT_LARGE)
		snprintf(buf, buf_bytes, "%.0e", pct);
	else if (fabs(pct) >= GAIN_PCT_WHOLE)
		snprintf(buf, buf_bytes, "%.0f", pct);
	else
		snprintf(buf, buf_bytes, "%.2f", fabs(pct) < GAIN_PCT_ZERO ? 0.0 : pct);
}

static uint32_t format_gain(const struct hn_table_row *row, uint32_t c, char *buf)
{
	const struct hn_table_cell *cell = &row->cells[c];
	const char *open = cell->is_significant ? "*" : "(";
	const char *close = cell->is_significant ? "*" : ")";
	char pct[32];

	if (!row->has_gain) {
		buf[0] = '\0';
		return 0;
	}
	format_pct(cell->gain_pct, pct, sizeof(pct));
	return (uint32_t)snprintf(buf, CELL_BYTES, " %s%7s%%%s", open, pct, close);
}

static void widen(uint32_t *chars, uint32_t need)
{
	*chars = (uint32_t)hn_max_u64(*chars, need);
}

/* All columns are equally wide: the widest header, value and gain decide. */
static struct layout compute_layout(const struct hn_table *table)
{
	struct layout layout = { .value_chars = VALUE_CHARS, .gain_chars = GAIN_CHARS };
	char buf[CELL_BYTES];

	for (uint32_t r = 0; r < table->nr_rows; r++) {
		widen(&layout.name_chars, (uint32_t)strlen(table->rows[r].name));
		for (uint32_t c = 0; c < table->nr_columns; c++) {
			widen(&layout.value_chars, format_value(&table->rows[r], c, buf) + 1);
			widen(&layout.gain_chars, format_gain(&table->rows[r], c, buf));
		}
	}
	for (uint32_t c = 0; c < table->nr_columns; c++) {
		for (uint32_t h = 0; h < table->nr_header_rows; h++) {
			uint32_t chars = (uint32_t)strlen(table->columns[c].header[h]) + 1;

			if (chars > layout.gain_chars)
				widen(&layout.value_chars, chars - layout.gain_chars);
		}
	}
	return layout;
}

static void end_line(struct hn_strbuf *buf)
{
	while (buf->len_bytes && buf->text[buf->len_bytes - 1] == ' ')
		buf->text[--buf->len_bytes] = '\0';
	hn_strbuf_add(buf, "\n");
}

static void add_headers(const struct hn_table *table, const struct layout *layout,
			struct hn_strbuf *buf)
{
	int chars = (int)(layout->value_chars + layout->gain_chars);

	for (uint32_t h = 0; h < table->nr_header_rows; h++) {
		hn_strbuf_addf(buf, "%*s", (int)(LABEL_CHARS + 1 + layout->name_chars), "");
		for (uint32_t c = 0; c < table->nr_columns; c++)
			hn_strbuf_addf(buf, "%*s", chars, table->columns[c].header[h]);
		end_line(buf);
	}
}

static void add_table_row(const struct hn_table *table, const struct layout *layout,
			  const struct hn_table_row *row, struct hn_strbuf *buf)
{
	char text[CELL_BYTES];

	hn_strbuf_addf(buf, "%-*s %-*s", LABEL_CHARS, row->label, (int)layout->name_chars,
		       row->name);
	for (uint32_t c = 0; c < table->nr_columns; c++) {
		format_value(row, c, text);
		hn_strbuf_addf(buf, "%*s", (int)layout->value_chars, text);
		format_gain(row, c, text);
		hn_strbuf_addf(buf, "%*s", (int)layout->gain_chars, text);
	}
	end_line(buf);
}

/* Breaks at spaces; lines after the first are indented. A longer word stands alone. */
static void add_wrapped(const char *text, struct hn_strbuf *buf)
{
	size_t column = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (column && column + 1 + len > HN_TABLE_WRAP_COLUMNS) {
			hn_strbuf_add(buf, "\n    ");
			column = 4;
		} else if (column) {
			hn_strbuf_add(buf, " ");
			column++;
		}
		hn_strbuf_add_bytes(buf, text, len);
		column += len;
		text += len + strspn(text + len, " ");
	}
	hn_strbuf_add(buf, "\n");
}

void hn_table_text(const struct hn_table *table, struct hn_strbuf *buf)
{
	struct layout layout = compute_layout(table);

	for (uint32_t i = 0; i < table->nr_intro; i++)
		hn_strbuf_addf(buf, "%s\n", table->intro[i]);
	hn_strbuf_add(buf, "\n");
	add_headers(table, &layout, buf);
	for (uint32_t r = 0; r < table->nr_rows; r++)
		add_table_row(table, &layout, &table->rows[r], buf);
	if (table->nr_notes)
		hn_strbuf_add(buf, "\n");
	for (uint32_t n = 0; n < table->nr_notes; n++)
		add_wrapped(table->notes[n], buf);
}
