#!/usr/bin/env bash
# Puts a lean libtorch for the feature `runtime` into vendor/libtorch: the CPU part of PyTorch, its headers, and an
# empty libtorch.so that the linker asks for. Downloads 544 MB with pip, checks it against the hashes below, keeps 499 MB.
#
#   tools/setup-libtorch.sh [FOLDER]      (default: vendor/libtorch of this checkout)
#
# Needs Linux on x86_64 with glibc 2.28, python3 with pip, and a C compiler. Nothing outside FOLDER's parent is written,
# and FOLDER appears only when it is complete. Running it again where it is complete does nothing.
set -euo pipefail

# tch and torch-sys in Cargo.toml speak to this version of libtorch alone; the other two belong to it.
version=2.11.0
# The wheel for another Python would hold the same libtorch; one is fixed, so that the Python here does not matter.
torch="torch==$version --hash=sha256:7aa2f9bbc6d4595ba72138026b2074be1233186150e9292865e04b7a63b8c67a"
# libtorch_cpu.so was linked against these two, so it does not load without them, GPU or not.
cuda="nvidia-cuda-runtime==13.0.96 --hash=sha256:7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548
nvidia-cuda-cupti==13.0.85 --hash=sha256:4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8"
needed_mb=1200

fail() {
  echo "setup-libtorch: $1" >&2
  exit 1
}

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-$checkout/vendor/libtorch}
parent=$(dirname "$folder")
compiler=${CC:-cc}

if [ "$(cat "$folder/torch/build-version" 2>/dev/null)" = "$version" ] && [ -e "$folder/torch/lib/libtorch.so" ]; then
  echo "libtorch $version is in $folder"
  exit 0
fi

[ "$(uname -sm)" = "Linux x86_64" ] ||
  fail "there is no libtorch $version for $(uname -sm) here, only for Linux x86_64; set LIBTORCH to one of your own"
glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d ' ' -f 2) || true
[ -n "$glibc" ] || fail "the C library is not glibc, which libtorch needs"
[ "$(printf '%s\n' 2.28 "$glibc" | sort -V | head -n 1)" = 2.28 ] || fail "glibc is $glibc; libtorch needs 2.28 or newer"
command -v python3 >/dev/null || fail "python3 is missing (Debian, Ubuntu: apt install python3 python3-pip)"
python3 -m pip --version >/dev/null 2>&1 || fail "python3 has no pip (Debian, Ubuntu: apt install python3-pip)"
command -v "$compiler" >/dev/null || fail "there is no C compiler \`$compiler\` (Debian, Ubuntu: apt install g++)"
mkdir -p "$parent" || fail "cannot make the folder $parent"
free_mb=$(df -Pm "$parent" | awk 'NR == 2 { print $4 }')
[ "$free_mb" -ge "$needed_mb" ] || fail "$parent has $free_mb MB free; $needed_mb MB are needed, of which 499 stay in use"

work=$(mktemp -d "$parent/.libtorch-XXXXXX") || fail "cannot write to $parent"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

download() { # the requirements, then further options of pip
  printf '%s\n' "$1" >"$work/requirements.txt"
  local quiet=-q
  [ -t 2 ] && quiet=--progress-bar=on
  TMPDIR=$work python3 -m pip download "$quiet" --disable-pip-version-check --no-cache-dir --no-deps \
    --only-binary=:all: --require-hashes -d "$work/wheels" -r "$work/requirements.txt" "${@:2}" ||
    fail "pip could not download what is above: no network, a mirror without these versions, or a hash that differs"
}
echo "downloading libtorch $version (544 MB)"
download "$cuda"
download "$torch" --platform manylinux_2_28_x86_64 --python-version 3.11 --implementation cp --abi cp311

echo "unpacking"
python3 - "$work/wheels" "$work/libtorch" <<'PYTHON' || fail "the downloaded wheels could not be unpacked"
import pathlib, sys, zipfile

wheels, target = map(pathlib.Path, sys.argv[1:])
libraries = {
    "torch/lib/libc10.so", "torch/lib/libtorch_cpu.so", "torch/lib/libgomp.so.1",
    "nvidia/cu13/lib/libcudart.so.13", "nvidia/cu13/lib/libcupti.so.13",
}
found = set()
for wheel in sorted(wheels.glob("*.whl")):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            header = name.startswith("torch/include/") and not name.endswith("/")
            licence = ".dist-info/" in name and name.rsplit("/", 1)[1].upper().startswith(("LICENSE", "NOTICE", "COPYING"))
            if name in libraries or header or licence:
                archive.extract(name, target)
                found.add(name)
missing = libraries - found
sys.exit(f"not in the wheels: {', '.join(sorted(missing))}" if missing else 0)
PYTHON

# torch-sys links with -ltorch. The libtorch.so of the wheel wants the CUDA half of PyTorch, so an empty one stands in.
echo '' | "$compiler" -shared -fPIC -x c - -Wl,-soname,libtorch.so -o "$work/libtorch/torch/lib/libtorch.so" ||
  fail "\`$compiler\` could not make an empty library"
# torch-sys reads this and refuses any other version.
printf %s "$version" >"$work/libtorch/torch/build-version"

[ ! -e "$folder" ] || mv "$folder" "$work/old"
mv "$work/libtorch" "$folder"
echo "libtorch $version is in $folder ($(du -sm "$folder" | cut -f 1) MB)"
