#!/bin/sh
# The command line of the Agent Operations Service, as its tarball installs it: aos help
set -eu
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname -- "$self")/$link ;;
  esac
done
root=$(CDPATH='' cd -- "$(dirname -- "$self")/.." && pwd -P)

node=$(command -v node || true)
version=
[ -z "$node" ] || version=$("$node" --version 2>/dev/null || true)
major=${version#v}
major=${major%%.*}
case $major in
  '' | *[!0-9]*) major=0 ;;
esac
if [ "$major" -lt 24 ]; then
  printf 'aos: Node 24 or newer is needed, and %s is on the PATH: install it, or put it before that one.\n' "${version:-no Node}" >&2
  exit 1
fi

# Compiled code is kept between runs, where this account may write.
if [ -z "${NODE_COMPILE_CACHE:-}" ] && [ -w "$root" ]; then
  NODE_COMPILE_CACHE=$root/.cache/node
  export NODE_COMPILE_CACHE
fi
# Half of these threads look names up, which can take long; Node's own four would leave two for that.
UV_THREADPOOL_SIZE=${UV_THREADPOOL_SIZE:-16}
export UV_THREADPOOL_SIZE

# As bin/run of the repository starts it.
exec "$node" --max-semi-space-size=16 --heap-growing-percent=50 --disable-warning=ExperimentalWarning "$root/cli/src/main.js" "$@"
