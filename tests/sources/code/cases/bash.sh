#!/usr/bin/env bash
# Builds the shop.
set -euo pipefail

source ./lib/common.sh
. "lib/log.sh"

LIMIT=10
readonly NAME="shop"
export PATH="$HOME/bin:$PATH"

# Says it.
say() {
  echo "$1"
  log_line "$1"
}

function build_shop {
  local out=$1
  if [[ -n "$out" ]]; then
    say "building"
  fi
  docker build . -t "$out"
}

build_shop "$@"
