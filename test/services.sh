#!/bin/sh
# Starts what the suite can use beside the embedded database: PostgreSQL and Redis, from Debian's packages, each on a
# free port of its own and with data in a temporary directory. What answers already is used as it is. Prints
# DATABASE_URL=... and REDIS_URL=... for the caller to export; everything else goes to stderr. Tests of the console need
# a browser besides, which is installed on its own and printed as CHROMIUM=...
#
#   eval "$(sh test/services.sh | sed 's/^/export /')"      start, or find, both
#   sh test/services.sh --browser                           find a Chromium, or install one
#   sh test/services.sh --proxies                           install nginx and Caddy, for the tests behind them
#   sh test/services.sh --stop                              end what an earlier call started
set -eu

home=${TMPDIR:-/tmp}/waybill-services
say() { echo "services: $*" >&2; }

main() {
  mkdir -p "$home"
  chmod 711 "$home"
  if [ "${1:-}" = --stop ]; then
    stop
    return
  fi
  exec 9>"$home/lock"
  flock 9
  if [ "${1:-}" = --browser ]; then
    chromium=$(find_chromium || install_chromium)
    echo "CHROMIUM=$chromium"
    return
  fi
  if [ "${1:-}" = --proxies ]; then
    install_proxies
    return
  fi
  # Servers must not inherit the lock, so they are started with it closed (9>&-).
  database_url=$(find_postgresql || start_postgresql)
  redis_url=$(find_redis || start_redis)
  echo "DATABASE_URL=$database_url"
  echo "REDIS_URL=$redis_url"
}

# PostgreSQL

find_postgresql() {
  if [ -n "${DATABASE_URL:-}" ]; then
    echo "$DATABASE_URL"
    return
  fi
  [ -f "$home/postgresql.port" ] || return 1
  port=$(cat "$home/postgresql.port")
  program=$(postgresql_program pg_isready) || return 1
  "$program" -q -h 127.0.0.1 -p "$port" >&2 || return 1
  postgresql_url "$port"
}

start_postgresql() {
  initdb=$(postgresql_program initdb) || { install postgresql; initdb=$(postgresql_program initdb); }
  pg_ctl=$(postgresql_program pg_ctl)
  data=$(postgresql_data)
  port=$(free_port)
  if [ ! -f "$data/PG_VERSION" ]; then
    rm -rf "$data"
    mkdir -p "$data"
    chmod 711 "$(dirname "$data")"
    as_postgres_owns "$data"
    as_postgres "$initdb" -D "$data" -U waybill -A trust -E UTF8 --no-locale >&2
  fi
  say "starting PostgreSQL on port $port"
  # What a power failure would take from it, nobody misses.
  as_postgres "$pg_ctl" -D "$data" -w -t 60 -l "$data/server.log" \
    -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300 \
      -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_wal_size=512MB" \
    start >&2 9>&-
  echo "$port" >"$home/postgresql.port"
  postgresql_url "$port"
}

# To clone a database is to make a thousand files, which takes a few hundredths of a second in memory and seconds on a
# busy disk. Containers often have a little memory there alone.
postgresql_data() {
  if [ -f "$home/postgresql.data" ]; then
    cat "$home/postgresql.data"
    return
  fi
  free=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
  if [ -f "$home/postgresql/PG_VERSION" ]; then
    place=$home
  elif [ -w /dev/shm ] && [ "${free:-0}" -gt 3000000 ]; then
    place=$(mktemp -d /dev/shm/waybill-services.XXXXXX)
  else
    place=$home
  fi
  echo "$place/postgresql" | tee "$home/postgresql.data"
}

postgresql_url() {
  echo "postgres://waybill@127.0.0.1:$1/postgres"
}

# The newest version installed; Debian keeps most programs of PostgreSQL out of PATH.
postgresql_program() {
  for folder in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5 -rn); do
    if [ -x "$folder/$1" ]; then
      echo "$folder/$1"
      return
    fi
  done
  command -v "$1"
}

# The server refuses to run as root.
as_postgres() {
  if [ "$(id -u)" != 0 ]; then
    "$@"
  elif command -v runuser >/dev/null; then
    (cd / && runuser -u postgres -- "$@")
  else
    (cd / && setpriv --reuid postgres --regid postgres --init-groups -- "$@")
  fi
}

as_postgres_owns() {
  chmod 700 "$1"
  if [ "$(id -u)" = 0 ]; then chown postgres "$1"; fi
}

# Redis

find_redis() {
  if [ -n "${REDIS_URL:-}" ]; then
    echo "$REDIS_URL"
    return
  fi
  [ -f "$home/redis.port" ] || return 1
  command -v redis-cli >/dev/null || return 1
  port=$(cat "$home/redis.port")
  [ "$(redis-cli -h 127.0.0.1 -p "$port" ping 2>/dev/null)" = PONG ] || return 1
  echo "redis://127.0.0.1:$port"
}

start_redis() {
  command -v redis-server >/dev/null || install redis-server
  port=$(free_port)
  say "starting Redis on port $port"
  redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no --daemonize yes \
    --dir "$home" --pidfile "$home/redis.pid" --logfile "$home/redis.log" >&2 9>&-
  tries=0
  until [ "$(redis-cli -h 127.0.0.1 -p "$port" ping 2>/dev/null)" = PONG ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 100 ]; then
      say "Redis does not answer; see $home/redis.log"
      return 1
    fi
    sleep 0.1
  done
  echo "$port" >"$home/redis.port"
  echo "redis://127.0.0.1:$port"
}

# Chromium

# Without a window it is lighter: the tests take a fifth less time with it.
find_chromium() {
  for program in ${CHROMIUM:-chromium-headless-shell chromium}; do
    chromium=$(command -v "$program") || continue
    "$chromium" --version >&2 || continue
    echo "$chromium"
    return
  done
  return 1
}

# With a font, since pages without letters look alike.
install_chromium() {
  if [ -n "${CHROMIUM:-}" ]; then
    say "CHROMIUM names $CHROMIUM, which does not run"
    return 1
  fi
  install chromium-headless-shell fonts-dejavu-core || install chromium fonts-dejavu-core
  find_chromium
}

# nginx and Caddy: each test starts its own, so none is left running by the packages.

install_proxies() {
  if { command -v nginx || [ -x /usr/sbin/nginx ]; } >/dev/null && command -v caddy >/dev/null; then
    return
  fi
  # Debian starts what it installs, on ports that may be taken.
  install nginx-light caddy
  for service in nginx caddy; do
    if command -v systemctl >/dev/null; then
      $as_root systemctl disable --now "$service" >&2 2>/dev/null || true
    fi
  done
}

# All

stop() {
  if [ -f "$home/postgresql.port" ]; then
    data=$(postgresql_data)
    as_postgres "$(postgresql_program pg_ctl)" -D "$data" -m fast -w stop >&2 || true
    rm -rf "$data" "$home/postgresql.port" "$home/postgresql.data"
    case $data in /dev/shm/*) rmdir "$(dirname "$data")" ;; esac
  fi
  if [ -f "$home/redis.port" ]; then
    redis-cli -h 127.0.0.1 -p "$(cat "$home/redis.port")" shutdown nosave >&2 || true
    rm -f "$home/redis.port"
  fi
}

install() {
  say "installing $*"
  as_root=
  if [ "$(id -u)" != 0 ]; then as_root=sudo; fi
  $as_root apt-get update -qq >&2 9>&-
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@" >&2 9>&-
}

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'
}

main "$@"
