/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard output and files. A file is written beside its place and renamed, so that nobody ever
 * sees half of it; SIGINT and SIGTERM wait for the few milliseconds that this takes. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes everything; 0 or a negative errno. */
static int write_all(int fd, const char *bytes, size_t nr_bytes)
{
	while (nr_bytes) {
		ssize_t done = write(fd, bytes, nr_bytes);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		bytes += done;
		nr_bytes -= (size_t)done;
	}
	return 0;
}

int cli_print(const struct hn_strbuf *buf)
{
	int err = write_all(STDOUT_FILENO, buf->text, buf->len_bytes);

	if (!err)
		return CLI_DONE;
	cli_complain("cannot write to standard output: %s", strerror(-err));
	return CLI_FAILED;
}

/* The folder of a path, "." where it has none. */
static const char *folder_of(struct hn_arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct hn_strbuf folder;

	if (!slash)
		return ".";
	hn_strbuf_init(&folder, arena);
	hn_strbuf_add_bytes(&folder, path, slash == path ? 1 : (size_t)(slash - path));
	return folder.text;
}

int cli_check_output(struct cli *cli, const char *path)
{
	const char *folder = folder_of(cli->arena, path);
	struct stat st;
	int err = 0;

	if (!path[0])
		err = ENOENT;
	else if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		err = EISDIR;
	else if (stat(folder, &st) == 0 && !S_ISDIR(st.st_mode))
		err = ENOTDIR;
	else if (access(folder, W_OK | X_OK) != 0)
		err = errno;
	if (!err)
		return CLI_DONE;
	cli_complain("cannot write '%s': %s", path, strerror(err));
	return CLI_USAGE;
}

/* Devices and pipes can't be replaced; they are written in place. */
static bool is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

static int write_and_close(int fd, const struct hn_strbuf *buf, bool is_synced)
{
	int err = write_all(fd, buf->text, buf->len_bytes);

	if (!err && is_synced && fsync(fd))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

static int write_special(const char *path, const struct hn_strbuf *buf)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? -errno : write_and_close(fd, buf, /* is_synced */ false);
}

static int write_replacing(struct cli *cli, const char *path, const struct hn_strbuf *buf)
{
	struct hn_strbuf temporary;
	int err, fd;

	hn_strbuf_init(&temporary, cli->arena);
	hn_strbuf_addf(&temporary, "%s.%ld.tmp", path, (long)getpid());
	fd = open(temporary.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	err = write_and_close(fd, buf, /* is_synced */ true);
	if (!err && rename(temporary.text, path))
		err = -errno;
	if (err)
		unlink(temporary.text);
	return err;
}

/* A link keeps pointing where it did: its target is what is replaced. */
static const char *follow_links(struct cli *cli, const char *path)
{
	char *target = hn_arena_alloc(cli->arena, PATH_MAX + 1);

	return realpath(path, target) ? target : path;
}

int cli_write_file(struct cli *cli, const char *path, const struct hn_strbuf *buf)
{
	sigset_t waiting, before;
	int err;

	sigemptyset(&waiting);
	sigaddset(&waiting, SIGINT);
	sigaddset(&waiting, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &waiting, &before);
	if (is_special(path))
		err = write_special(path, buf);
	else
		err = write_replacing(cli, follow_links(cli, path), buf);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!err)
		return CLI_DONE;
	cli_complain("cannot write '%s': %s", path, strerror(-err));
	return CLI_FAILED;
}
