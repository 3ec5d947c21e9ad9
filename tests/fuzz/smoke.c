/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goal: every parser survives damaged input, in each `make check`, without a fuzzing engine.
 * Method: feeds the harness that is linked in with the files of the given folders, cut short,
 * with bytes changed, dropped and doubled, by a fixed random stream; a crash or a sanitizer's
 * report fails the test. The same harness runs under libFuzzer for longer. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"

#define INPUT_BYTES_MAX 65536
#define MUTATIONS_PER_FILE 24
#define CHANGES_MAX 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nr_bytes);

static size_t read_input(const char *path, uint8_t *buf)
{
	FILE *file = fopen(path, "rb");
	size_t nr_bytes;

	if (!file)
		return 0;
	nr_bytes = fread(buf, 1, INPUT_BYTES_MAX, file);
	fclose(file);
	return nr_bytes;
}

/* Changes a few places; the length may shrink. */
static size_t mutate(struct hn_rng *rng, uint8_t *data, size_t nr_bytes)
{
	static const char tokens[] = "{}[]:,-+*&!|>'\"#%@`\n\t 09azAZ";
	uint64_t nr_changes = 1 + hn_rng_below(rng, CHANGES_MAX);

	while (nr_changes-- && nr_bytes > 1) {
		size_t at = (size_t)hn_rng_below(rng, nr_bytes);

		switch (hn_rng_below(rng, 4)) {
		case 0:
			data[at] = (uint8_t)hn_rng_below(rng, 256);
			break;
		case 1:
			data[at] = (uint8_t)tokens[hn_rng_below(rng, sizeof(tokens) - 1)];
			break;
		case 2:
			memmove(data + at, data + at + 1, nr_bytes - at - 1);
			nr_bytes--;
			break;
		case 3:
			nr_bytes = at + 1;
			break;
		}
	}
	return nr_bytes;
}

static uint32_t feed_file(struct hn_rng *rng, const char *path, uint8_t *input, uint8_t *copy)
{
	size_t nr_bytes = read_input(path, input);

	LLVMFuzzerTestOneInput(input, nr_bytes);
	for (uint32_t m = 0; m < MUTATIONS_PER_FILE; m++) {
		memcpy(copy, input, nr_bytes);
		LLVMFuzzerTestOneInput(copy, mutate(rng, copy, nr_bytes));
	}
	return 1 + MUTATIONS_PER_FILE;
}

static uint32_t feed_folder(struct hn_rng *rng, const char *folder, uint8_t *input, uint8_t *copy)
{
	struct dirent **entries;
	int nr = scandir(folder, &entries, NULL, alphasort);
	uint32_t nr_inputs = 0;

	for (int i = 0; i < nr; i++) {
		char path[4096];

		if (entries[i]->d_name[0] != '.') {
			snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
			nr_inputs += feed_file(rng, path, input, copy);
		}
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	return nr_inputs;
}

int main(int argc, char **argv)
{
	static const uint8_t nothing[1];
	struct hn_arena arena;
	struct hn_rng rng;
	uint32_t nr_inputs = 0;
	uint8_t *input, *copy;

	hn_arena_init(&arena);
	hn_rng_init(&rng, 1, "fuzz-smoke", 0);
	input = hn_arena_alloc(&arena, INPUT_BYTES_MAX);
	copy = hn_arena_alloc(&arena, INPUT_BYTES_MAX);
	LLVMFuzzerTestOneInput(nothing, 0);
	for (int a = 1; a < argc; a++)
		nr_inputs += feed_folder(&rng, argv[a], input, copy);
	hn_arena_fini(&arena);
	printf("%u inputs\n", nr_inputs);
	return nr_inputs ? 0 : 1;
}
