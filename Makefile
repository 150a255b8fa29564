PREFIX   = /usr/local
DESTDIR  =
BINDIR   = $(PREFIX)/bin
VERSION  = $(shell git describe --tags --always --dirty 2>/dev/null)
FUZZTIME = 30s

PROGRAMS    = $(patsubst cmd/%/main.go,%,$(wildcard cmd/*/main.go))
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
PLATFORMS   = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64

.PHONY: build
build:
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X jl/internal/cli.version=$(VERSION)' -o bin/ ./cmd/...

.PHONY: demo
demo: build
	@sh examples/demo.sh bin testdata/demo.jsonl

# Counted, not timed: go test may call the end of a short fuzztime a failure.
.PHONY: check
check: lint test
	$(MAKE) fuzz FUZZTIME=5000x

.PHONY: test
test:
	go test ./...

.PHONY: race
race:
	go test -race ./...

.PHONY: fuzz
fuzz:
	@for pkg in $$(go list ./...); do \
		targets=$$(go test -list '^Fuzz' $$pkg) || { echo "$$targets"; exit 1; }; \
		for target in $$(echo "$$targets" | grep '^Fuzz'); do \
			echo "$$pkg $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done

.PHONY: bench
bench:
	go test -run '^$$' -bench . -benchmem ./...

.PHONY: lint
lint:
	go mod tidy -diff
	@unformatted=$$(gofmt -s -l .); test -z "$$unformatted" || { echo "not gofmt -s: $$unformatted"; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...

.PHONY: cross
cross:
	@for platform in $(PLATFORMS); do \
		echo $$platform; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} go vet ./... || exit 1; \
		CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/} go build ./... || exit 1; \
	done

.PHONY: install
install: build
	install -d $(DESTDIR)$(BINDIR)
	install -m 755 $(PROGRAMS:%=bin/%) $(DESTDIR)$(BINDIR)

.PHONY: uninstall
uninstall:
	rm -f $(PROGRAMS:%=$(DESTDIR)$(BINDIR)/%)

.PHONY: clean
clean:
	rm -rf bin
