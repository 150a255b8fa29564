# A step for a Makefile that keeps session logs: fails when one is damaged, and says
# where, and how much of its history can be reached.
#
#	make -f check.mk check-logs LOGS='logs/a.jsonl logs/b.jsonl.zst'
#
# Needs jltree and jq. The rows themselves are left in check.jsonl.

LOGS = $(wildcard *.jsonl *.jsonl.gz *.jsonl.zst)

define CHECK_ROWS
select(.note | not)
| if .totals
  then "\(.file): \(if .healthy then "healthy" else "DAMAGED" end): \(.reachable) of \(.nodes) nodes can be reached"
  else "\(.file):\(.line): \(.finding)\(if .reason then ": " + .reason else "" end)"
  end
endef
export CHECK_ROWS

.PHONY: check-logs
check-logs:
	@jltree --check $(LOGS) >check.jsonl </dev/null; status=$$?; \
	jq -r "$$CHECK_ROWS" check.jsonl && exit $$status
