#!/usr/bin/env bash
# Fills fuzz/corpus/ with texts to start from: every `.dlm` file of the repository, a file of a UI case each, and every setting
# in them for the target `set`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
for target in parse fmt check set; do mkdir -p "fuzz/corpus/$target"; done
git ls-files '*.dlm' | while read -r file; do
  name=${file//\//_}
  case $file in
    # Several files in one text: a piece each.
    tests/*) awk -v out="fuzz/corpus/check/$name" '/^#- /{ n++; next } { print > (out "." n + 0) }' "$file" ;;
    *) cp "$file" "fuzz/corpus/check/$name" ;;
  esac
done
cp fuzz/corpus/check/* fuzz/corpus/parse/
cp fuzz/corpus/check/* fuzz/corpus/fmt/
n=0
cat fuzz/corpus/check/* | grep -E '^ *[a-z_.]+ *(=|\+=|-=|\?=)' | sed 's/^ *//' | sort -u | while read -r setting; do
  n=$((n + 1))
  printf '%s\n' "$setting" > "fuzz/corpus/set/$n"
done
