#!/usr/bin/env bash
# A short selection of the suite on the newest Node.js with long-term support, which the gateway is recommended to run on: what
# touches the runtime itself. Its binary comes as an npm package, to a folder of its own that is removed at the end.
set -euo pipefail
cd "$(dirname "$0")/.."

version=24
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

package=$(node -p '`node-${process.platform}-${process.arch}`')
npm install --prefix "$folder" --no-save --ignore-scripts --no-audit --no-fund --silent "$package@$version" >&2
runtime="$folder/node_modules/$package/bin/node"
echo "== selection on Node.js $("$runtime" --version)"

# Start and end, threads and locks, sockets and TLS, modules from outside, parsers.
"$runtime" test/run.mjs \
  test/config/start.test.ts test/config/compiled.test.ts test/config/deaf-output.test.ts \
  test/kernel/store/database.test.ts test/kernel/store/lite.test.ts \
  test/kernel/registry/isolated.test.ts test/kernel/registry/outside.test.ts \
  test/kernel/http/tls.test.ts test/kernel/http/upgrade.test.ts test/kernel/http/stop.test.ts \
  test/kernel/egress/egress.test.ts test/kernel/egress/socket.test.ts \
  test/spec/rt.test.ts test/spec/bill.test.ts test/fuzz/fuzz.test.ts
