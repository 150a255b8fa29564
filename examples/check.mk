# A step for a Makefile that keeps session logs: fails when one is damaged, and says
# where, and how much of its history can be reached.
#
#	make -f check.mk check-logs LOGS='logs/*.jsonl logs/*.jsonl.zst'
#
# Needs jltree and jq. The rows themselves are left in check.rows.

# Patterns for the shell, not for make: so names may hold spaces and quotes. One that
# matches nothing is passed over, but there must be some log.
LOGS = *.jsonl *.jsonl.gz *.jsonl.zst

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
	@set --; for log in $(LOGS); do \
		case $$log in *[*?]*) [ -e "$$log" ] || continue;; esac; set -- "$$@" "$$log"; \
	done; \
	[ $$# -gt 0 ] || { echo no logs >&2; exit 1; }; \
	jltree --check -- "$$@" >check.rows; status=$$?; \
	jq -r "$$CHECK_ROWS" check.rows && exit $$status
