# What the `run` of each benchmark shares; sourced from the project's folder.

# build PRODUCT...: builds them for release, silent unless it fails, and prints where they lie.
build() {
  local log product
  echo "benchmarks: building (the first time takes some minutes)" >&2
  log=$(mktemp)
  for product; do
    if ! swift build -c release --static-swift-stdlib --product "$product" \
      --explicit-target-dependency-import-check error >"$log" 2>&1; then
      cat "$log" >&2
      rm -f "$log"
      return 1
    fi
  done
  rm -f "$log"
  swift build -c release --show-bin-path
}

# peers FOLDER LIST NAMES: installs what a list names from PyPI into a folder of its own, anew where
# the list has changed. What cannot be had fails and says so in its own part.
peers() {
  local folder=$1 list=$2 names=$3 log
  cmp -s "$list" "$folder/requirements.txt" && return
  echo "benchmarks: installing $names into $folder" >&2
  rm -rf "$folder"
  log=$(mktemp)
  # Debian's Python has Debian's matplotlib and the SQLite that Arkived links.
  if /usr/bin/python3 -m venv "$folder" &&
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$list" >"$log" 2>&1; then
    cp "$list" "$folder/"
  else
    cat "$log" >&2
    echo "benchmarks: $names could not be installed; their parts will fail and say so." >&2
  fi
  rm -f "$log"
}
