#!/usr/bin/env python3
"""Joins the lines of entries whose strings have raw line breaks, as some programs write them:

	join.py <torn.jsonl >whole.jsonl

The breaks, and other control characters in these strings, become escapes. All other lines stay as they are,
byte for byte."""
import json, re, sys


def is_object(text, strict):
    try:
        return isinstance(json.loads(text.decode("latin-1"), strict=strict), dict)
    except ValueError:
        return False


def escaped(text):
    string = rb'"(?:[^"\\]|\\.)*"'
    control = lambda m: json.dumps(m[0].decode())[1:-1].encode()
    return re.sub(string, lambda m: re.sub(rb"[\0-\x1f]", control, m[0]), text, flags=re.S)


lines = list(sys.stdin.buffer)
i = 0
while i < len(lines):
    text, end = lines[i], i + 1
    if text.lstrip().startswith(b'{"') and not is_object(text, True):
        while end < len(lines) and not is_object(lines[end], True):
            text, end = text + lines[end], end + 1
            if text.rstrip().endswith(b"}") and is_object(text, False):
                body = text.rstrip(b"\r\n")
                lines[i:end] = [escaped(body) + text[len(body):]]
                break
    sys.stdout.buffer.write(lines[i])
    i += 1
