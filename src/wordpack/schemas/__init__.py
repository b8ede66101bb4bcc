"""JSON Schemas of what `--format json` and `--json` write."""
