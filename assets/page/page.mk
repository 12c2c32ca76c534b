# The program for WebAssembly, with emscripten alone: `make web` reads this file.
#
# The terminal, the window, films, CUDA and MPI are left out; src/standin stands in for OpenMP
# and jansson, src/blas/loops.c for OpenBLAS. No contraction and no relaxed SIMD: the bits are the native ones.

W    := build/web
EMCC ?= emcc

ABSENT := ui/tui/% ui/sdl/% ui/canvas/% ui/encode/% ui/web/% $(wildcard kernels/cuda/*/*.c) \
          kernels/mpi/% kernels/part/% src/base/json_out.c
SRC    := $(filter-out $(ABSENT),$(sort $(shell find src kernels ui -name '*.c'))) \
          kernels/mpi/tables.c ui/web/lines.c
OBJ    := $(SRC:%.c=$(W)/obj/%.o) $(W)/obj/gen/embed.o
EMBED  := $(sort $(wildcard assets/data/* assets/help/* lessons/*.md))

CPP_ALL := -I. -Isrc/standin/include -D_GNU_SOURCE -DSS_VERSION='"$(VERSION)"' \
           -DSS_WITH_PAGE=1
C_ALL   := -std=c11 -ffp-contract=off -fno-math-errno -fno-trapping-math -msimd128 -pthread \
           -Wall -Wno-unused -Werror=implicit-function-declaration

# Threads are workers. main runs in one of them, so that the page's own thread is never blocked. All
# are started with the program: the engine, and what computes beside it.
LINK    := -Oz -pthread -sPROXY_TO_PTHREAD -sPTHREAD_POOL_SIZE=8 -sEXIT_RUNTIME=1 \
           -sTOTAL_STACK=1MB -sDEFAULT_PTHREAD_STACK_SIZE=1MB -sMALLOC=emmalloc \
           -sINITIAL_MEMORY=64MB -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=1GB \
           -Wno-pthreads-mem-growth -sENVIRONMENT=web,worker,node \
           -sMODULARIZE=1 -sEXPORT_NAME=Stencilscope -sFORCE_FILESYSTEM=1 \
           -sEXPORTED_RUNTIME_METHODS=FS,ccall \
           -sEXPORTED_FUNCTIONS=_main,_ss_page_say,_ss_page_shown --js-library assets/page/library.js

# Debian's emscripten finds Debian's node modules only here.
export NODE_PATH := /usr/share/nodejs

Q    := $(if $(filter 1,$(V)),,@)
say   = $(if $(Q),@printf '  %-7s %s\n' '$(1)' '$(2)')
stamp = @mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || \
        printf '%s\n' '$(subst ','\'',$(1))' > $@

# The site: what is written by hand, what emscripten wrote, the table of operations, and fonts if
# there is fonttools.
S      := $(W)/site
FONTS  := $(if $(and $(shell command -v pyftsubset),$(shell command -v fc-match)),inter inter-bold mono mono-bold)
PARTS  := stencilscope.js stencilscope.wasm stencilscope.worker.js
PLAIN  := $(filter-out %/library.js,$(wildcard assets/page/*.js)) \
          $(addprefix assets/web/,player.js frames.js input.js screen.js page.css icon.svg)
SITE   := $(addprefix $(S)/,$(PARTS) index.html ops.js $(FONTS:%=%.woff2) $(notdir $(PLAIN)))

.PHONY: site FORCE
.DELETE_ON_ERROR:
site: $(SITE)

vpath %.css assets/web
vpath %.js assets/page:assets/web
vpath %.svg assets/web

$(addprefix $(S)/,$(notdir $(PLAIN))): $(S)/%: %
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(addprefix $(S)/,$(PARTS)): $(S)/%: $(W)/stencilscope.js
	@mkdir -p $(@D)
	$(Q)cp $(W)/$* $@

# The page of the server, with another script.
$(S)/index.html: assets/web/index.html
	@mkdir -p $(@D)
	$(Q)sed -e 's|<script.*|<script defer src="stencilscope.js"></script>\n&|' \
	    -e 's/net\.js/page.js/' -e 's|<link rel="icon".*|<script src="reasons.js"></script>\n&|' $< > $@

$(S)/ops.js: assets/web/ops.sh ui/pen/ops.h ui/stream/stream.h
	@mkdir -p $(@D)
	$(Q)$^ > $@

$(FONTS:%=$(S)/%.woff2): ui/pen/advances.h assets/web/fonts.sh
	$(call say,FONT,$@)
	@mkdir -p $(@D)
	$(Q)assets/web/fonts.sh $(basename $(@F)) $@

$(W)/stencilscope.js: $(OBJ) assets/page/library.js $(W)/link.stamp
	$(call say,LINK,$@)
	$(Q)$(EMCC) $(LINK) -o $@ $(OBJ)

$(W)/obj/gen/%.o: $(W)/gen/%.c $(W)/flags.stamp
	$(call say,EMCC,$<)
	@mkdir -p $(@D)
	$(Q)$(EMCC) $(CPP_ALL) $(C_ALL) -Oz -c -o $@ $<

# Loops over points are fast, the rest is small: -O3 unrolls the updates of the equations, 100 kB
# more, and is no faster. Of the CPU backend, what runs once per cycle or never is small too.
FAST := $(addsuffix /%,kernels/block kernels/cpu kernels/eq src/blas) \
        $(addprefix kernels/sample/,layer.c picture.c)
SMALL := $(addprefix kernels/cpu/,backend.c hybrid.c meter.c patches.c schedule.c stream.c sweeps.c)
OPT   = $(if $(filter $(FAST),$(filter-out $(SMALL),$<)),-O2,-Oz)

$(W)/obj/%.o: %.c $(W)/flags.stamp
	$(call say,EMCC,$<)
	@mkdir -p $(@D)
	$(Q)$(EMCC) $(CPP_ALL) $(C_ALL) $(OPT) -MMD -MP -c -o $@ $<

# A page has 1 GB: its largest preset is smaller.
PRESETS := assets/data/presets.txt
$(W)/gen/presets.txt: $(PRESETS)
	@mkdir -p $(@D)
	$(Q)sed 's/n=4096/n=2048/' $< > $@

$(W)/gen/embed.c: $(EMBED) $(W)/gen/presets.txt assets/embed.sh $(W)/files.stamp
	$(call say,EMBED,$@)
	@mkdir -p $(@D)
	$(Q)assets/embed.sh $(EMBED:$(PRESETS)=$(PRESETS)=$(W)/gen/presets.txt) > $@

$(W)/flags.stamp: FORCE
	$(call stamp,$(EMCC) $(CPP_ALL) $(C_ALL))

$(W)/link.stamp: FORCE
	$(call stamp,$(LINK) $(SRC))

$(W)/files.stamp: FORCE
	$(call stamp,$(EMBED))

-include $(OBJ:.o=.d)
