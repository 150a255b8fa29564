# Installing, removing and packing what make has built. The Makefile includes this file.

PREFIX    = /usr/local
DESTDIR   =
BINDIR    = $(PREFIX)/bin
DATADIR   = $(PREFIX)/share
BUILT     = bin
PROGRAMS  = $(patsubst cmd/%/main.go,%,$(wildcard cmd/*/main.go))
NFPM      = github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0

# What install copies and uninstall removes, each with the folder that it goes to.
INSTALLED = $(foreach p,$(PROGRAMS),$(BUILT)/$(p)=$(BINDIR)/$(p)) \
	$(foreach f,$(wildcard doc/man/*.1),$(f)=$(DATADIR)/man/man1/$(notdir $(f))) \
	$(foreach f,$(wildcard doc/man/*.7),$(f)=$(DATADIR)/man/man7/$(notdir $(f))) \
	$(foreach f,$(wildcard share/*/* share/*/*/*),$(if $(wildcard $(f)/*),,$(f)=$(DATADIR)/$(f:share/%=%))) \
	$(foreach f,LICENSE $(wildcard *.md doc/*.md doc/*.svg examples/*.* examples/*/*),$(f)=$(DATADIR)/doc/jl/$(f))

# Installs what make has built. It needs no Go.
.PHONY: install
install:
	@for program in $(PROGRAMS); do \
		test -x $(BUILT)/$$program || { echo "$(BUILT)/$$program is missing: run make first" >&2; exit 1; }; \
	done
	@for file in $(INSTALLED); do \
		to="$(DESTDIR)$${file#*=}" mode=644; \
		test -x "$${file%%=*}" && mode=755; \
		install -d "$${to%/*}" && install -m $$mode "$${file%%=*}" "$$to" || exit 1; \
	done

.PHONY: uninstall
uninstall:
	@for file in $(INSTALLED); do rm -f "$(DESTDIR)$${file#*=}"; done
	@for folder in doc/jl/doc doc/jl/examples/fleet doc/jl/examples doc/jl jl skills/jl skills; do rmdir "$(DESTDIR)$(DATADIR)/$$folder" 2>/dev/null || true; done

# The number of the release, and the page of the project, which nobody has chosen yet: while it is empty, the recipes
# for Homebrew and Arch take the source from bin/dist.
NUMBER    = $(shell cat internal/cli/VERSION)
HOMEPAGE  =
SOURCE    = jl-$(NUMBER).tar.gz
FROM      = $(if $(HOMEPAGE),$(HOMEPAGE)/releases/download/v$(NUMBER),file://$(abspath $(DIST)))
DIST      = bin/dist

# Makes archives for all platforms, packages for those with Linux, the source and what Homebrew and Arch build it with,
# a list of the modules in the programs and an SBOM, in bin/dist. The same commit gives the same bytes everywhere. It needs git,
# and GNU tar, touch and sha256sum.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

.PHONY: dist
dist:
	rm -rf $(DIST)
	@for platform in $(PLATFORMS); do \
		$(MAKE) --no-print-directory dist-one OS=$${platform%/*} ARCH=$${platform#*/} SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) || exit 1; \
	done
	go version -m $(DIST)/stage/*/built/* | awk '$$1 == "dep" { print $$2, $$3, $$4 }' | sort -u >$(DIST)/jl-$(NUMBER)-modules.txt
	packaging/sbom $(NUMBER) '$(COMMIT)' $(SOURCE_DATE_EPOCH) "$$(go env GOVERSION)" <$(DIST)/jl-$(NUMBER)-modules.txt >$(DIST)/jl-$(NUMBER).spdx.json
	$(MAKE) --no-print-directory dist-source
	cd $(DIST) && sha256sum *.tar.gz *.deb *.rpm *.txt *.json >SHA256SUMS

.PHONY: dist-one
dist-one: NAME = jl-$(NUMBER)-$(OS)-$(ARCH)
dist-one: STAGE = $(DIST)/stage/$(OS)-$(ARCH)
dist-one:
	CGO_ENABLED=0 GOOS=$(OS) GOARCH=$(ARCH) go build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)' -o $(STAGE)/built/ ./cmd/...
	$(MAKE) --no-print-directory install BUILT=$(STAGE)/built DESTDIR=$(STAGE)/$(NAME) PREFIX=
	packaging/licenses >$(STAGE)/$(NAME)/share/doc/jl/copyright
	find $(STAGE)/$(NAME) -exec touch -hd @$(SOURCE_DATE_EPOCH) {} +
	tar -C $(STAGE) --sort=name --owner=0 --group=0 --numeric-owner --mode=go=u-w -cf - $(NAME) | gzip -9n >$(DIST)/$(NAME).tar.gz
ifeq ($(OS),linux)
	packaging/debian $(STAGE)/$(NAME) $(STAGE)/debian $(NUMBER) $(SOURCE_DATE_EPOCH)
	find $(STAGE)/debian -exec touch -hd @$(SOURCE_DATE_EPOCH) {} +
	for package in deb:debian rpm:$(NAME); do \
		SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) ARCH=$(ARCH) NUMBER=$(NUMBER) HOMEPAGE=$(HOMEPAGE) STAGE=$(STAGE)/$${package#*:} \
		go run $(NFPM) package -f packaging/nfpm.yaml -p $${package%:*} -t $(DIST) || exit 1; \
	done
endif

# Makes the source of the last commit, and the recipes of Homebrew and Arch for it, in DIST.
.PHONY: dist-source
dist-source:
	mkdir -p $(DIST)
	git archive --prefix=jl-$(NUMBER)/ HEAD | gzip -9n >$(DIST)/$(SOURCE)
	@sum=$$(sha256sum <$(DIST)/$(SOURCE)); \
	for recipe in jl.rb PKGBUILD; do \
		sed $(if $(HOMEPAGE),,-e '/@HOMEPAGE@/d') -e 's|@HOMEPAGE@|$(HOMEPAGE)|; s|@SOURCE@|$(FROM)/$(SOURCE)|; s|@NUMBER@|$(NUMBER)|' \
			-e "s|@SHA256@|$${sum%% *}|" packaging/$$recipe >$(DIST)/$$recipe || exit 1; \
	done

# Makes packages for npm of what dist has built, in bin/npm-packages, and publishes nothing.
.PHONY: npm
npm:
	packaging/npm $(NUMBER) $(DIST)/stage bin/npm-packages $(PLATFORMS)

# Makes all of that in two folders, compares the bytes, and runs the programs of a package
# and of an archive in a root directory that has nothing else.
.PHONY: dist-check
dist-check:
	.ci/dist-check
