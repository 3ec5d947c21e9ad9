/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t)4096)

/* Reads up to `room` bytes; stops at the end of the file. Returns the count or -errno. */
static ssize_t read_all(int fd, char *buf, size_t room)
{
	size_t filled = 0;

	while (filled < room) {
		ssize_t got = read(fd, buf + filled, room - filled);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		filled += (size_t)got;
	}
	return (ssize_t)filled;
}

/* Files of sysfs claim one page and hold less, files of procfs claim nothing and hold more:
 * so the room grows until a read ends before it. */
static ssize_t read_growing(struct hn_arena *arena, int fd, size_t max_bytes, char **ret_buf)
{
	size_t room = hn_min_u64(FIRST_BYTES, max_bytes + 1);
	char *buf = hn_arena_alloc(arena, room + 1);
	size_t filled = 0;

	for (;;) {
		ssize_t got = read_all(fd, buf + filled, room - filled);
		char *wider;

		if (got < 0)
			return got;
		filled += (size_t)got;
		if (filled < room || filled > max_bytes)
			break;
		room = hn_min_u64(room * 4, max_bytes + 1);
		wider = hn_arena_alloc(arena, room + 1);
		memcpy(wider, buf, filled);
		buf = wider;
	}
	buf[filled] = '\0';
	*ret_buf = buf;
	return (ssize_t)filled;
}

/* Opens without waiting, so that a FIFO given by mistake is refused instead of blocking. */
static int open_regular(const char *path, struct hn_diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	int err;

	if (fd < 0) {
		err = -errno;
		return hn_diag_set(diag, err, "cannot open '%s': %s", path, strerror(-err));
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	err = S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
	close(fd);
	return hn_diag_set(diag, err, "'%s' is not a regular file", path);
}

int hn_file_read(struct hn_arena *arena, const char *path, size_t max_bytes,
		 struct hn_file_text *ret_text, struct hn_diag *diag)
{
	int fd = open_regular(path, diag);
	char *buf = NULL;
	ssize_t got;

	if (fd < 0)
		return fd;
	got = read_growing(arena, fd, max_bytes, &buf);
	close(fd);
	if (got < 0)
		return hn_diag_set(diag, (int)got, "cannot read '%s': %s", path,
				   strerror((int)-got));
	if ((size_t)got > max_bytes)
		return hn_diag_set(diag, -E2BIG, "'%s' is longer than %zu bytes", path,
				   max_bytes);
	*ret_text = (struct hn_file_text){ .bytes = buf, .nr_bytes = (size_t)got };
	return 0;
}
