#!/usr/bin/env python3
"""Writes examples/data/kjv.txt from Debian's packages bible-kjv and bible-kjv-text (4.38).

    tools/make-kjv.py [OUTPUT]          default: examples/data/kjv.txt

Needs apt-get and dpkg, not root: both packages are downloaded into a temporary folder and unpacked there.
In the output a chapter is its heading, an empty line, a verse a line without its number, and an empty line.
"""

import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

# Narrative, poetry, sayings, and the four gospels; John stands last, so its end is what a run holds out.
BOOKS = {
    "Ge": "Genesis",
    "Psa": "Psalms",
    "Prv": "Proverbs",
    "Mat": "Matthew",
    "Mark": "Mark",
    "Luke": "Luke",
    "John": "John",
}
# Verses of the whole text, as every printed edition counts them: a different number means a different text.
VERSES = 31_102
SHA256 = "e372a8feb4654230f40a48ef62e521393ead5d9cba521b2f92ed3b85e316f828"


def verses(folder):
    subprocess.run(["apt-get", "download", "-qq", "bible-kjv", "bible-kjv-text"], cwd=folder, check=True)
    for package in pathlib.Path(folder).glob("*.deb"):
        subprocess.run(["dpkg", "-x", package.name, "unpacked"], cwd=folder, check=True)
    command = ["unpacked/usr/bin/bible", "-f", "-d", "unpacked/usr/lib/bible.data", "Gen1:1-Rev22:21"]
    printed = subprocess.run(command, cwd=folder, check=True, capture_output=True, stdin=subprocess.DEVNULL).stdout
    return printed.decode("ascii").splitlines()


def convert(lines):
    book_of, chapter_of, out = None, None, []
    if len(lines) != VERSES:
        raise SystemExit(f"{len(lines)} verses came out of the package, {VERSES} were expected")
    for line in lines:
        place, text = line.split(" ", 1)
        short, chapter, _ = re.fullmatch(r"(\d?[A-Za-z]+)(\d+):(\d+)", place).groups()
        if short not in BOOKS:
            continue
        if (short, chapter) != (book_of, chapter_of):
            out.append(f"{'' if book_of is None else chr(10)}{BOOKS[short]} {chapter}\n")
            book_of, chapter_of = short, chapter
        out.append(" ".join(text.split()))
    return "\n".join(out) + "\n"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    output = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "examples" / "data" / "kjv.txt"
    with tempfile.TemporaryDirectory() as folder:
        text = convert(verses(folder)).encode("ascii")
    found = hashlib.sha256(text).hexdigest()
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(text)
    print(f"{output}: {len(text)} bytes, sha256 {found}")
    if found != SHA256:
        raise SystemExit(f"this is not the text in the repository, whose sha256 is {SHA256}")


if __name__ == "__main__":
    main()
