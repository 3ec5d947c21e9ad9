# SPDX-License-Identifier: GPL-2.0-or-later
# A thin face over Meson: `make` builds, `make demo` shows, `make check` tests.

BUILD ?= build
MESON_OPTIONS ?=

.PHONY: all demo check bench sanitize install clean packages

all: $(BUILD)/build.ninja
	ninja -C $(BUILD)

$(BUILD)/build.ninja:
	tools/install-packages
	meson setup $(BUILD) $(MESON_OPTIONS)

packages:
	tools/install-packages

# The main job on real input: four workloads, six policies, one table each.
demo: all
	tools/demo $(BUILD)/homenode

check:
	tools/install-packages
	tools/check $(BUILD)

bench: all
	meson test -C $(BUILD) --benchmark --verbose

install: all
	meson install -C $(BUILD)

clean:
	rm -rf $(BUILD) build-asan build-clang build-gcc-O0
