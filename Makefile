# stencilscope.  `make help` lists the targets; two are enough: `make run` and `make test`.
#
# Sources are found by folder.  What is optional is found with pkg-config, by the rows of
# assets/packages.tsv: that table is the only place that names libraries and packages.

VERSION := 0.1.0
PROFILE ?= release
PREFIX  ?= /usr/local
PKG_CONFIG ?= pkg-config

B   := build/$(PROFILE)
BIN := $(B)/stencilscope
LIB := $(B)/libstencilscope.a
RANK := $(B)/stencilscope-rank

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PRECIOUS: $(B)/obj/%.o
MAKEFLAGS += --no-print-directory --no-builtin-rules

# ---- profiles ------------------------------------------------------------------------------------
# gcc unless asked otherwise.  tsan needs clang: gcc's OpenMP run time is not instrumented, so that
# every barrier looks like a race.
ifeq ($(origin CC),default)
CC := $(if $(filter tsan fuzz,$(PROFILE)),clang,gcc)
endif

SANITIZED   := -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all -DSS_SANITIZED
OPT.release := -O3
OPT.debug   := -Og
OPT.asan    := $(SANITIZED) -fsanitize=address,undefined
OPT.tsan    := $(SANITIZED) -fsanitize=thread
OPT.fuzz    := $(SANITIZED) -fsanitize=fuzzer-no-link,address,undefined
CLANG_NEEDS := $(if $(filter clang,$(CC)),sanitize)
$(if $(OPT.$(PROFILE)),,$(error PROFILE is one of release, debug, asan, tsan, fuzz, not '$(PROFILE)'))

# ---- libraries and features ----------------------------------------------------------------------
have  = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo yes)
table = $(shell awk -F'[\t:]' '$$1 == "$(1)" && $$3 == "pkg" {print $(2)}' assets/packages.tsv)

REQUIRED := $(call table,required,$$4)
MISSING  := $(strip $(foreach p,$(REQUIRED),$(if $(call have,$p),,$p)))

# An optional feature NAME adds its library and -DSS_WITH_NAME=1, unless WITH_NAME=0; without it the
# sources under the folder NAME.src are left out, if it has one.
NCURSES.src := ui/tui
CAIRO.src   := ui/canvas
SDL.src     := ui/sdl
WEB.src     := ui/web
FFMPEG.src  := ui/encode
MPI.src     := kernels/mpi/rank

# `make` and `make run` set LESS: a feature that does not compile here leaves its compiler's words in
# $(B)/broken, and the rest is built.  Without LESS, as in `make test`, what does not compile fails.
BROKEN     := $(if $(LESS),$(notdir $(wildcard $(B)/broken/*)))
$(foreach f,$(BROKEN),$(eval WITH_$f := 0))
feature_of  = $(firstword $(foreach f,$(ON) $(if $(MPI_ON),MPI),\
                $(if $(filter $($f.src)/%,$1),$(if $($f.src),$f))))

# Window and videos are drawn with cairo.
ifeq ($(WITH_CAIRO),0)
WITH_SDL := 0
WITH_FFMPEG := 0
export WITH_SDL WITH_FFMPEG
endif

# Ranks of a divided run are a program of their own; only that one is linked with MPI.  WITH_MPI=0
# leaves it out.
MPI_LIB := ompi-c
MPI_ON  := $(if $(filter 0,$(WITH_MPI))$(filter asan tsan fuzz,$(PROFILE)),,$(if $(call have,$(MPI_LIB)),yes))

FEATURES := $(call table,optional,$$2 "=" $$4)
FOUND    := $(foreach f,$(FEATURES),$(if $(filter 0,$(WITH_$(word 1,$(subst =, ,$f)))),,\
              $(if $(call have,$(word 2,$(subst =, ,$f))),$f)))
FOUND    := $(filter-out MPI=%,$(FOUND))
ON       := $(foreach f,$(FOUND),$(word 1,$(subst =, ,$f)))
# OpenBLAS is loaded when it is first needed (src/blas), not linked.
PKGS     := $(filter-out openblas,$(REQUIRED)) $(foreach f,$(FOUND),$(word 2,$(subst =, ,$f)))
OFF      := $(filter-out $(ON),$(patsubst %.src,%,$(filter %.src,$(.VARIABLES))))

# ---- sources -------------------------------------------------------------------------------------
SRC   := $(sort $(shell find src kernels ui -name '*.c'))
RANK_SRC := $(filter kernels/mpi/rank/%,$(SRC))
PAGE_SRC := src/standin/json.c src/standin/system.c ui/page/frontend.c
SRC   := $(filter-out kernels/mpi/rank/% $(PAGE_SRC) $(foreach f,$(OFF),$($f.src)/%),$(SRC))
RANK_OBJ := $(RANK_SRC:%.c=$(B)/obj/%.o)
OBJ   := $(SRC:%.c=$(B)/obj/%.o) $(B)/obj/gen/embed.o
EMBED := $(sort $(wildcard assets/data/* assets/help/* lessons/*.md))
# The texts of the CUDA kernels, and of all that they include: NVRTC compiles them when a run needs them.
KERNELS := $(shell assets/kernels.sh)
EMBED   += $(KERNELS)

# The page of --ui web: what is written by hand, the table of operations, and four fonts where
# fonttools can make them small; without these a page uses the fonts of its machine.
SUBSET := $(shell command -v pyftsubset)
FONTS  := $(if $(and $(SUBSET),$(shell command -v fc-match)),inter inter-bold mono mono-bold)
SITE   := $(if $(filter WEB,$(ON)),$(sort $(wildcard assets/web/*.html assets/web/*.js assets/web/*.css assets/web/*.svg)) \
            $(B)/gen/web/ops.js $(FONTS:%=$(B)/gen/web/%.woff2))
EMBED  += $(SITE)

# The screens are drawn by one thread: no tests of them under the thread sanitizer.
UNIT_SRC := $(sort $(shell find tests/src tests/kernels tests/fault tests/equal \
              $(if $(filter-out tsan,$(PROFILE)),tests/ui) -name '*.c'))
E2E_SRC  := $(sort $(wildcard tests/e2e/*.c))
FUZZ_SRC := $(filter-out tests/fuzz/driver.c,$(sort $(wildcard tests/fuzz/*.c)))

# ---- flags ---------------------------------------------------------------------------------------
# _GNU_SOURCE for thread affinity, SIGWINCH and wcwidth.  No contraction to FMA and no -march=native:
# the same bits on every machine; vectorised kernels choose their instructions at run time.
# clang takes NAN for a promoted float, and a row of a table for an oversight where members are left 0.
CLANG_OFF := -Wno-missing-field-initializers
CPP_ALL := -I. -D_GNU_SOURCE -DSS_VERSION='"$(VERSION)"' $(ON:%=-DSS_WITH_%=1) $(CPPFLAGS)
C_ALL   := -std=c11 $(OPT.$(PROFILE)) -g -ffp-contract=off -fno-math-errno -fno-trapping-math \
           -fopenmp -pthread \
           -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
           -Werror=implicit-function-declaration \
           -Wfloat-conversion $(if $(findstring clang,$(CC)),$(CLANG_OFF),-Wdouble-promotion) \
           $(shell $(PKG_CONFIG) --cflags $(PKGS) 2>/dev/null) $(CFLAGS)
LIBS    := $(shell $(PKG_CONFIG) --libs $(PKGS) 2>/dev/null) -ldl -lm $(LDLIBS)

# V=1 shows the commands, otherwise one short line each.
Q    := $(if $(filter 1,$(V)),,@)
say   = $(if $(Q),@printf '  %-7s %s\n' '$(1)' '$(2)')

# ---- build ---------------------------------------------------------------------------------------
# Detection happens when this file is read, so after installing anything it has to be read again.
JOBS  := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
again  = $(MAKE) $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

.PHONY: all build deps run FORCE
all: ## build with what is there, and say what is missing
	@why=$$(assets/deps.sh have required) || \
	    { echo "stencilscope cannot be built, $$why: \`make deps\` installs it" >&2; exit 1; }
	+@$(spare)
	@why=$$(assets/deps.sh have optional) || echo "built without what is $$why: \`make deps\` installs it"

build: $(BIN) $(if $(MPI_ON),$(RANK)) ## build, nothing else

# What can be missing, before the rest: then the rest knows what there is.
.PHONY: features
features: $(filter $(foreach f,$(ON),$(if $($f.src),$(B)/obj/$($f.src)/%)),$(OBJ)) \
          $(if $(MPI_ON),$(RANK_OBJ))
spare = [ -d $(B)/broken ] || $(again) --keep-going LESS=1 features || [ -d $(B)/broken ] || exit 1; \
        if [ -d $(B)/broken ]; then for f in $(B)/broken/*; do sed -n '/[Ee]rror/{s/^/  /p;q}' "$$f"; \
          echo "$${f\#\#*/} does not compile here and is left out; $$f says why, \`make clean\` tries again"; \
        done; fi; $(again) LESS=1 build

deps: ## list what is missing and install it (asks on a terminal, unless YES=1)
	@YES=$(YES) assets/deps.sh install required optional $(CLANG_NEEDS)

run: deps ## build and start the program with ARGS="..."
	+@$(spare)
	@$(BIN) $(ARGS)

$(BIN): $(LIB)
	$(call say,LINK,$@)
	$(Q)$(CC) $(C_ALL) $(LDFLAGS) -o $@ $(B)/obj/src/app/main.o $(LIB) $(LIBS)

$(LIB): $(OBJ) $(B)/obj/gen/build.o $(B)/files.stamp
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter-out $(B)/obj/src/app/main.o,$(OBJ)) $(B)/obj/gen/build.o

# The checksum of all objects: program and ranks of one build have the same (src/base/common.h).
$(B)/gen/build.c: $(OBJ)
	@mkdir -p $(@D)
	$(Q)printf '#include "src/base/common.h"\nconst char *ss_build_id(void)\n{\n    return "%s";\n}\n' \
	    "$$(cat $(OBJ) | cksum | tr ' ' '-')" > $@

$(RANK_OBJ): private CPP_ALL += $(shell $(PKG_CONFIG) --cflags $(MPI_LIB) 2>/dev/null)
$(RANK): $(RANK_OBJ) $(LIB)
	$(call say,LINK,$@)
	$(Q)$(CC) $(C_ALL) $(LDFLAGS) -o $@ $(RANK_OBJ) $(LIB) $(LIBS) $(shell $(PKG_CONFIG) --libs $(MPI_LIB))

$(B)/obj/%.o: %.c $(B)/flags.stamp
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPP_ALL) $(C_ALL) -MMD -MP -c -o $@ $< $(if $(and $(LESS),$(call feature_of,$<)),\
	    2>$(@:.o=.err) || { mkdir -p $(B)/broken; mv $(@:.o=.err) $(B)/broken/$(call feature_of,$<); exit 1; }; \
	    cat $(@:.o=.err) >&2; rm -f $(@:.o=.err))

$(B)/obj/gen/%.o: $(B)/gen/%.c $(B)/flags.stamp
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPP_ALL) $(C_ALL) -MMD -MP -c -o $@ $<

$(B)/gen/embed.c: $(EMBED) assets/embed.sh $(B)/files.stamp
	$(call say,EMBED,$@)
	@mkdir -p $(@D)
	$(Q)assets/embed.sh $(EMBED) > $@

$(B)/gen/web/ops.js: assets/web/ops.sh ui/pen/ops.h ui/stream/stream.h
	@mkdir -p $(@D)
	$(Q)$^ > $@

$(FONTS:%=$(B)/gen/web/%.woff2): ui/pen/advances.h assets/web/fonts.sh
	$(call say,FONT,$@)
	@mkdir -p $(@D)
	$(Q)assets/web/fonts.sh $(basename $(@F)) $@

# A stamp is touched only when its text changes: other flags rebuild the objects, an added or removed
# file rebuilds the archive.
stamp = @mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || \
        printf '%s\n' '$(subst ','\'',$(1))' > $@

$(B)/flags.stamp: FORCE
	$(if $(MISSING),$(error $(MISSING) not found: `make deps` installs what is missing))
	$(call stamp,$(CC) $(CPP_ALL) $(C_ALL) $(LDFLAGS) $(LIBS))

$(B)/files.stamp: FORCE
	$(call stamp,$(SRC) $(EMBED))

# ---- tests ---------------------------------------------------------------------------------------
# The same test functions run under Criterion, a process each, and in the sanitized profiles in one
# process (tests/plain.c).  tests/run.sh builds the programs that it runs.
ifneq ($(filter asan tsan fuzz,$(PROFILE)),)
CHECK_SRC   := tests/plain.c
CHECK_FLAGS := -DSS_PLAIN_TESTS
else
CHECK_FLAGS  = $(shell $(PKG_CONFIG) --cflags criterion)
CHECK_LIBS   = $(shell $(PKG_CONFIG) --libs criterion)
endif

UNIT_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(UNIT_SRC) $(CHECK_SRC))
E2E_OBJ  := $(patsubst %.c,$(B)/obj/%.o,$(E2E_SRC) $(CHECK_SRC))
STAGES   ?= build unit e2e+shell lint+docs
REST     ?= slow gpu+web asan+tsan+fuzz
FUZZERS  := $(FUZZ_SRC:tests/fuzz/%.c=$(B)/tests/fuzz_%)

.PHONY: tests fuzzers test test-all test-rest test-debian test-gpu test-sanitizer
tests: build $(if $(MPI_ON),$(B)/tests/delay.so) $(B)/tests/fails.so $(B)/tests/unit_tests $(B)/tests/e2e_tests $(FUZZERS)
fuzzers: $(FUZZERS)

test: ## install what is missing, build, run the quick tests (minutes) or T=suite::name
	@YES=$(YES) assets/deps.sh install required optional test
	+@MAKE='$(again)' tests/run.sh $(if $(T),--test '$(T)',$(STAGES))

test-all: ## the same, then the slow tests, the page, the sanitizers and the fuzzers (half an hour)
	@rm -f build/logs/counts
	+@$(MAKE) test; $(MAKE) test-rest

test-rest: ## what `make test` leaves out; its last line counts both
	@YES=$(YES) assets/deps.sh install required optional test $(if $(findstring san,$(REST)),sanitize)
	+@MAKE='$(again)' tests/run.sh --also $(REST)

test-debian: ## README's commands in a chroot of SUITE=trixie, or another Debian (root, debootstrap; half an hour)
	@tests/debian.sh $(or $(SUITE),trixie)

# Tests of the GPU need no test library: they also run where nothing can be installed.
GPU_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(filter-out tests/gpu/ladder.c,$(sort $(wildcard tests/gpu/*.c)))) \
           $(patsubst %.c,$(B)/obj/gpu/%.o,tests/plain.c $(wildcard tests/equal/*.c) tests/kernels/part/run.c tests/kernels/part/threads.c)
$(B)/obj/tests/gpu/%.o $(B)/obj/gpu/%.o: private CPP_ALL += -DSS_PLAIN_TESTS -DSS_GPU_TESTS
$(B)/obj/gpu/%.o: %.c $(B)/flags.stamp
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPP_ALL) $(C_ALL) -MMD -MP -c -o $@ $<
$(B)/tests/gpu_tests: $(GPU_OBJ)

.PHONY: ladder
ladder: $(B)/tests/ladder ## check the six CUDA kernels to learn from against the CPU, print their shares of the limits
	@$<
$(B)/tests/ladder: $(B)/obj/tests/gpu/ladder.o $(LIB)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_ALL) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)

# A measurement: no part of `make test`.
.PHONY: web-checks
web-checks: build web $(B)/tests/scenes ## figures of the page and its server against the limits, on a quiet machine (CHECKS="1 5")
	@tests/web/checks.sh $(CHECKS)

test-gpu: build ## tests that need a GPU
	+@MAKE='$(again)' tests/run.sh gpu

test-sanitizer: build ## CUDA kernels under compute-sanitizer: memcheck, initcheck, racecheck (PART=1/4: a quarter)
	@tests/sanitize.sh $(BIN) $(PART)

# Private, or the flags stamp, which these depend on, would see them too.
$(UNIT_OBJ) $(E2E_OBJ): private CPP_ALL += $(CHECK_FLAGS)
$(B)/tests/unit_tests: $(UNIT_OBJ) $(if $(MPI_ON),$(RANK))
$(B)/tests/e2e_tests: $(E2E_OBJ)
$(B)/tests/e2e_tests: private LIBS += $(shell $(PKG_CONFIG) --libs vterm) -lutil
$(B)/tests/%_tests: $(LIB)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_ALL) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS) $(CHECK_LIBS)

# Layers for tests: one makes the program's allocations fail, one delays the ranks' messages and is
# loaded into them before MPI; two stand in for the driver of a GPU and its compiler.
$(B)/tests/e2e_tests: $(B)/tests/cuda/libcuda.so.1 $(B)/tests/nvrtc/libnvrtc.so.13 $(B)/tests/fails.so $(if $(MPI_ON),$(B)/tests/delay.so $(RANK))
$(B)/tests/cuda/libcuda.so.1: tests/cuda/driver.c $(B)/flags.stamp
$(B)/tests/nvrtc/libnvrtc.so.13: tests/cuda/nvrtc.c $(B)/flags.stamp
$(B)/tests/cuda/libcuda.so.1 $(B)/tests/nvrtc/libnvrtc.so.13:
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -I. -ffp-contract=off -shared -fPIC -o $@ $< -lm
$(B)/tests/fails.so: tests/memory/fails.c $(B)/flags.stamp
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -shared -fPIC -o $@ $< -ldl
$(B)/tests/delay.so: tests/mpi/delay.c $(B)/flags.stamp
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -shared -fPIC \
	    $(shell $(PKG_CONFIG) --cflags $(MPI_LIB)) -o $@ $<

# Scenes for tests/web/checks.sh.
$(B)/tests/scenes: $(B)/obj/tests/web/scenes.o $(B)/obj/tests/ui/samples.o $(LIB)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_ALL) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LIBS)

FUZZ_MAIN := $(if $(filter fuzz,$(PROFILE)),-fsanitize=fuzzer,$(B)/obj/tests/fuzz/driver.o)
$(B)/tests/fuzz_screen: $(B)/obj/tests/ui/samples.o
$(B)/tests/fuzz_drawing: $(B)/obj/tests/ui/pen/play.o
$(B)/tests/fuzz_%: $(B)/obj/tests/fuzz/%.o $(filter %.o,$(FUZZ_MAIN)) $(LIB)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_ALL) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter -%,$(FUZZ_MAIN)) $(LIB) $(LIBS)

# ---- care of the sources -------------------------------------------------------------------------
HEADERS := $(shell find src kernels ui tests -name '*.h')
SOURCES := $(SRC) $(if $(MPI_ON),$(RANK_SRC)) $(UNIT_SRC) $(E2E_SRC) $(FUZZ_SRC) tests/plain.c tests/fuzz/driver.c \
           tests/web/scenes.c $(wildcard tests/gpu/*.c)
CUDA_SOURCES := $(shell find kernels/cuda -name '*.cuh')

.PHONY: floors lines lint tidy format docs docs-check
floors: build ## which folder uses which: the graph, and whether every arrow leads down
	@tests/lint/floors.sh --print
	@tests/lint/floors.sh --circles

lines: ## lines by folder: all, code, files, small files
	@tests/lint/lines.sh --print

lint: tidy ## cppcheck, clang-tidy, source layout and the rules of tests/lint
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --error-exitcode=1 -j $(JOBS) $(CPP_ALL) $(SRC)
	clang-format --dry-run -Werror $(SOURCES) $(HEADERS) $(CUDA_SOURCES)
	+@MAKE='$(again)' tests/run.sh lint

tidy: ## clang-tidy over all C sources
	@YES=$(YES) assets/deps.sh install lint
	printf '%s\n' $(SOURCES) | \
	    xargs -P $(JOBS) -I {} clang-tidy --quiet {} -- $(CPP_ALL) -DSS_PLAIN_TESTS $(C_ALL)

format: ## lay out the sources with clang-format
	clang-format -i $(SOURCES) $(HEADERS) $(CUDA_SOURCES)

docs: build ## regenerate the tables of README.md
	@assets/docs.sh update $(BIN)

docs-check: build
	@assets/docs.sh check $(BIN)

.PHONY: pictures film advances
advances: ## measure the fonts again: the widths of texts for pens without fonts
	@mkdir -p $(B) && assets/advances.sh > $(B)/advances.h && cp $(B)/advances.h ui/pen/advances.h

pictures: build ## draw the pictures of README.md and of the gallery again
	@$(BIN) --generate pictures > $(B)/pictures.txt && cp $(B)/pictures.txt assets/data/
	@assets/pictures.sh $(BIN)

film: build ## make the film of README.md again
	$(BIN) poisson2d shared --backend cpu --n 256 --k 4 --run assets/screens/shared.run --ui none \
	    --size 800x600 --max-size 1500k --overwrite --record assets/screens/shared.gif

# ---- install and bundle --------------------------------------------------------------------------
TO       := $(DESTDIR)$(PREFIX)
# What the program writes about itself: the kind, and the file.
PAGES    := man:share/man/man1/stencilscope.1 \
            bash-completion:share/bash-completion/completions/stencilscope \
            zsh-completion:share/zsh/site-functions/_stencilscope \
            fish-completion:share/fish/vendor_completions.d/stencilscope.fish
BUNDLE   := stencilscope-$(VERSION)-$(shell uname -m)

.PHONY: web
web: ## the program as a page: build/web/site, for any static host (needs emscripten)
	@YES=$(YES) assets/deps.sh install web
	+@$(again) -f assets/page/page.mk VERSION='$(VERSION)' site

.PHONY: install uninstall bundle pack
# What was built is installed as it is: under sudo there may be another PATH, with other tools.
install: $(if $(wildcard $(BIN)),,build) ## program, manual page and shell completions, under DESTDIR and PREFIX
	@mkdir -p "$(TO)/bin"
	@for f in $(BIN) $(RANK); do [ ! -e $$f ] || install -s -m 755 $$f "$(TO)/bin" || exit 1; done
	@for f in $(PAGES); do mkdir -p "$(TO)/$$(dirname $${f#*:})" && \
	    $(BIN) --generate $${f%%:*} > "$(TO)/$${f#*:}" || exit 1; done
	@echo 'stencilscope is in $(TO)/bin'

uninstall: ## remove them again
	cd "$(TO)" && rm -f bin/stencilscope bin/stencilscope-rank $(foreach f,$(PAGES),$(lastword $(subst :, ,$f)))

bundle: ## tarball with the shared libraries, for machines without root
	+@$(again) B=build/bundle pack

pack: $(B)/gen/stencilscope-bundle
	@assets/bundle.sh $< "$(CC) $(shell $(PKG_CONFIG) --libs openblas)" build/$(BUNDLE) build/$(BUNDLE).tar.gz

# An rpath, not a runpath: the libraries' own libraries are in the bundle as well.
$(B)/gen/stencilscope-bundle: $(LIB)
	$(call say,LINK,$@)
	$(Q)$(CC) $(C_ALL) $(LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib' \
	    -o $@ $(B)/obj/src/app/main.o $(LIB) $(LIBS)

# ---- the rest ------------------------------------------------------------------------------------
.PHONY: config clean help
config: ## what was found, what is off and what is missing
	@printf '%s\n' 'stencilscope $(VERSION), profile $(PROFILE)' \
	    "  compiler  $$($(CC) --version 2>/dev/null | head -n 1)" '  flags     $(OPT.$(PROFILE))'
	@assets/deps.sh report

clean: ## remove build/
	rm -rf build

help: ## this list
	@echo 'make [PROFILE=release|debug|asan|tsan] [V=1] [WITH_NAME=0] [YES=1] [TARGET]'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 18

-include $(OBJ:.o=.d) $(RANK_OBJ:.o=.d) $(UNIT_OBJ:.o=.d) $(E2E_OBJ:.o=.d) $(GPU_OBJ:.o=.d) \
    $(FUZZ_SRC:%.c=$(B)/obj/%.d) $(B)/obj/tests/web/scenes.d
