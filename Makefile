MODULE    = $(shell sed -n 's/^module //p' go.mod)
COMMIT    = $(shell test ! -e .git || git describe --always --exclude='*' --abbrev=40 --dirty)
LDFLAGS   = -s -w$(if $(COMMIT), -X $(MODULE)/internal/cli.commit=$(COMMIT))
PLATFORMS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64
FUZZTIME  = 30s
SEED      = 1
TIMES     = 1

.PHONY: build
build:
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...

include packaging.mk

.PHONY: demo
demo: build
	@sh examples/demo.sh bin testdata/demo.jsonl

# What runs tests: with folders of its own for temporary files.
IN_TMP = .ci/tmp

# Runs all tests but what takes long, which make torture runs, and ends with what was not tested, and why.
.PHONY: check
check: lint build
	$(IN_TMP) go test -vet=off -ldflags=-s -tags purego ./internal/entry
	@{ TORTURE_BIN="$(CURDIR)/bin" $(IN_TMP) go test -vet=off -ldflags=-s -short -count=1 -parallel 4 -timeout 20m -v ./... 2>&1; echo "status $$?"; } | \
	awk -v skips=bin/skipped -f .ci/summary.awk; status=$$?; cat bin/skipped; exit $$status

# Runs the tests of internal/ and cmd/, and those that all programs share.
TESTED = $$(go list ./... | grep -v -e /test/torture -e /test/programs)

.PHONY: test
test:
	$(IN_TMP) go test $(TESTED)

.PHONY: race
race:
	$(IN_TMP) go test -race $(TESTED)

# Fails if less than 95 % of the statements of a package in internal/ are tested, by tests
# of the package or by scripts that test a program. Archive and atomicfile are left out: their
# tests run programs as other users or end them by signals, and those record nothing.
COVERED = $$(go list ./internal/... | grep -v -e /archive -e /atomicfile)

.PHONY: cover
cover:
	@mkdir -p bin
	@$(IN_TMP) go test -coverpkg=$$(echo $(COVERED) | tr ' ' ,) -coverprofile=bin/cover.out $(COVERED) ./cmd/...
	@awk -f .ci/cover.awk bin/cover.out

# Tries PROGRAM, as npm has it, or all that test/programs knows.
PROGRAM = .*

.PHONY: programs
programs: build
	PROGRAMS_BIN=$(CURDIR)/bin go test -count=1 -v -timeout 0 ./test/programs -run 'TestPrograms/^($(PROGRAM))$$'

# Breaks things under the programs, and prints a table of what was promised, tried and
# held. Then compares the paths of 4,000 random logs with those of a slow reference, and with
# their own, and runs whole what make check runs in part. SEED=n chooses other random cases,
# TIMES=n tries n times as many, and TORTURE=long also tries what takes very long.
.PHONY: torture
torture: build
	@echo 'make torture SEED=$(SEED) TIMES=$(TIMES)'
	@rm -f bin/torture.md
	@TORTURE_BIN="$(CURDIR)/bin" TORTURE_TABLE="$(CURDIR)/bin/torture.md" TORTURE_SEED=$(SEED) TORTURE_TIMES=$(TIMES) \
	$(IN_TMP) go test -count=1 -p 1 -parallel 4 -timeout 0 ./test/torture/...; status=$$?; cat bin/torture.md; \
	$(IN_TMP) go test -count=1 -timeout 0 -run 'TestReferencePaths|IsPath$$' ./internal/log -logs 4000 && \
	STOP_POINTS=8 $(IN_TMP) go test -count=1 -timeout 0 ./internal/archive ./internal/frames ./cmd/jlpath ./test/fleet ./test && exit $$status

# Runs the jobs of doc/fleet.md on a Slurm cluster that it brings up on this machine, with
# sudo unless you are root, and compares each output with that of a plain loop. NODE, which
# is n1 or n2, is killed in the middle of a chunk when KILL of the 300 units are done; KILL
# is at most 280.
KILL = 60
NODE = n2
ROOT = $(shell [ "$$(id -u)" -eq 0 ] || echo sudo)

.PHONY: fleet
fleet: build
	go test -c -o bin/fleet.test ./test/fleet
	cd test/fleet && exec $(ROOT) env PATH="$(CURDIR)/bin:$$PATH" FLEET_KILL=$(KILL) FLEET_NODE=$(NODE) ./cluster.sh "$(CURDIR)/bin/fleet.test" -test.v -test.run TestCluster

# Builds the tests of each package once, and runs each of its fuzz targets. What the targets
# find interesting stays in bin/fuzz, for the next run.
.PHONY: fuzz
fuzz:
	@for dir in $$(grep -rl '^func Fuzz' --include='*_test.go' cmd internal | xargs -n 1 dirname | sort -u); do \
		out="$(CURDIR)/bin/fuzz/$$dir"; \
		go test -c -vet=off -fuzz . -o "$$out/" ./$$dir && cd $$dir || exit 1; \
		for target in $$("$$out"/*.test -test.list '^Fuzz'); do \
			echo "$$dir $$target"; \
			"$$out"/*.test -test.run '^$$' -test.fuzz "^$$target\$$" -test.fuzztime $(FUZZTIME) -test.fuzzminimizetime 1x \
				-test.fuzzcachedir "$$out" >"$$out/log" 2>&1 || { cat "$$out/log"; exit 1; }; \
		done; \
		cd "$(CURDIR)"; \
	done

# Compares the programs with others, as BENCHMARKS.md says. It takes some minutes and
# wants a machine that does nothing else. BENCH holds options of bench/main.go.
BENCH = -svg bin/bench.svg

.PHONY: bench
bench: build
	go run ./bench -bin bin $(BENCH) >bin/bench.md
	@cat bin/bench.md

# Compares the programs of bin/ with those of another build, in OLD, over all logs and homes of the tests and of
# the folders in CORPUS: prints which commands answer otherwise.
.PHONY: same
same: build
	@go run ./test/same $(SAME) $(OLD) bin testdata cmd $(CORPUS)

# Changes a package of internal/ one line at a time, lists each change that the tests of the package do not see, LIVED or NOT
# COVERED, and ends with how many they see: nine of ten in rule, log, said, shape, cut and filehistory. It takes minutes.
# .ci/mutants.txt has those that change no answer.
PKG = rule

.PHONY: mutants
mutants:
	@mkdir -p bin
	go run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0 unleash ./internal/$(PKG) --timeout-coefficient 10 -S lct | \
		tee bin/mutants.out
	@awk -v pkg=$(PKG) -f .ci/mutants.awk bin/mutants.out

# Runs the benchmarks of the packages.
.PHONY: gobench
gobench:
	go test -run '^$$' -bench . -benchmem ./...

# Makes the manual pages and the completions again.
.PHONY: docs
docs:
	go test ./cmd/... -run '^TestProgram$$/^manual$$' -update

.PHONY: lint
lint:
	@unformatted=$$(gofmt -s -l .); test -z "$$unformatted" || { echo "not gofmt -s: $$unformatted"; exit 1; }
	go vet ./...
	go tool staticcheck ./...
	@if command -v mandoc >/dev/null; then mandoc -Tlint -Wwarning doc/man/*; else echo 'mandoc is not installed: the manual pages are not checked'; fi

.PHONY: cross
cross:
	@for platform in $(PLATFORMS); do \
		echo $$platform; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} go vet ./... || exit 1; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} go build ./... || exit 1; \
	done

.PHONY: clean
clean:
	rm -rf bin
