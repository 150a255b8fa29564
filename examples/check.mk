# A step for a Makefile: fails if a session log is damaged, names the damaged lines and what
# else is odd, and prints how much of each log can be reached.
#
#	make -f check.mk check-logs LOGS='logs/*.jsonl logs/*.jsonl.zst'
#
# It needs jltree and jq, and leaves the rows of jltree --check in check.rows.

# The shell expands these patterns, and make does not, so names may contain spaces and
# quotes. A pattern that matches nothing is ignored, but at least one log must exist.
LOGS = *.jsonl *.jsonl.gz *.jsonl.zst

define CHECK_ROWS
if .totals
  then "\(.file): \(if .healthy then "healthy" else "DAMAGED" end): \(.reachable) of \(.nodes) nodes can be reached"
  else "\(.file):\(.line): \(.severity): \(.finding)\(if .reason then ": " + .reason else "" end)"
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
