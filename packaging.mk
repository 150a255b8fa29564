# Installing, removing and packing what make has built. The Makefile includes this file.

PREFIX    = /usr/local
DESTDIR   =
BINDIR    = $(PREFIX)/bin
DATADIR   = $(PREFIX)/share
BUILT     = bin
PROGRAMS  = $(patsubst cmd/%/main.go,%,$(wildcard cmd/*/main.go))
NFPM      = github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0

# What install copies and uninstall removes: a program, or a file and its place below DATADIR.
INSTALLED = $(PROGRAMS) \
	$(foreach f,$(wildcard doc/man/*.1),$(f)=man/man1/$(notdir $(f))) \
	$(foreach f,$(wildcard doc/man/*.7),$(f)=man/man7/$(notdir $(f))) \
	$(foreach f,$(wildcard share/*/* share/*/*/*),$(if $(wildcard $(f)/*),,$(f)=$(f:share/%=%))) \
	$(foreach f,LICENSE $(wildcard *.md doc/*.md doc/*.svg examples/*.* examples/*/*),$(f)=doc/jl/$(f))

# Sets the shell's variables from and to for one of INSTALLED, which is in the variable file.
PLACES = case $$file in \
	*=*) from=$${file%%=*} to="$(DESTDIR)$(DATADIR)/$${file\#*=}" ;; \
	*) from="$(BUILT)/$$file" to="$(DESTDIR)$(BINDIR)/$$file" ;; \
	esac

# Fish looks below /usr/local only if the user has XDG_DATA_DIRS, so it gets links in the folder that is for all users.
FISH = test "$(PREFIX)" != /usr/local || test "$$(uname)" != Linux ||
LINKS = /etc/fish/completions

# Installs what make has built. It needs no Go.
.PHONY: install
install:
	@for program in $(PROGRAMS); do \
		test -x "$(BUILT)/$$program" || { echo "$(BUILT)/$$program is missing: run make first" >&2; exit 1; }; \
	done
	@for file in $(INSTALLED); do \
		$(PLACES); mode=644; \
		test -x "$$from" && mode=755; \
		install -d "$${to%/*}" && install -m $$mode "$$from" "$$to" || exit 1; \
	done
	@$(FISH) for program in $(PROGRAMS); do \
		install -d "$(DESTDIR)$(LINKS)" && ln -sf "$(DATADIR)/fish/vendor_completions.d/$$program.fish" "$(DESTDIR)$(LINKS)/" || exit 1; \
	done

# Removes that again, and the folders that are empty then, up to PREFIX; of /usr/local not those that a system has of
# its own.
.PHONY: uninstall
uninstall:
	@for file in $(INSTALLED); do \
		$(PLACES); rm -f "$$to"; \
		while to=$${to%/*}; case $$to in \
			"$(DESTDIR)" | "$(DESTDIR)"/usr/local | "$(DESTDIR)"/usr/local/bin | "$(DESTDIR)"/usr/local/share | "$(DESTDIR)"/usr/local/share/man) false ;; \
			"$(DESTDIR)$(PREFIX)" | "$(DESTDIR)$(PREFIX)"/*) rmdir "$$to" 2>/dev/null ;; \
			*) false ;; \
		esac; do :; done; \
	done
	@$(FISH) { for program in $(PROGRAMS); do rm -f "$(DESTDIR)$(LINKS)/$$program.fish"; done; cd "$(DESTDIR)/" && rmdir -p ".$(LINKS)" 2>/dev/null || true; }

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
