# Sourced by scripts that need a JDK, Maven and real servers. Finds them, installs missing servers as root on Debian, or
# names what is missing. The caller defines say().

need_java_and_maven() {
  local program
  for program in java mvn; do
    command -v "$program" > /dev/null || { say "$program is missing; install JDK 17 or later and Maven 3.8 or later"; exit 1; }
  done
}

limited() { if command -v timeout > /dev/null; then timeout 5 "$@"; else "$@"; fi; }
docker_answers() { command -v docker > /dev/null && limited docker info > /dev/null 2>&1; }
have_redis() { command -v "${DELAYQUEUE_TEST_REDIS_PROGRAM:-redis-server}" > /dev/null; }
have_rabbit() {
  [ -n "${DELAYQUEUE_TEST_RABBITMQ_PROGRAMS:-}" ] || [ -x /usr/lib/rabbitmq/bin/rabbitmq-server ] \
    || command -v rabbitmq-server > /dev/null
}

# Prevents the packages from starting their services.
install_packages() {
  local policy=/usr/sbin/policy-rc.d policy_is_ours= installed=yes
  say "installing $*; no service is started"
  export DEBIAN_FRONTEND=noninteractive
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' > "$policy"
    chmod +x "$policy"
    policy_is_ours=yes
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
  fi
  { apt-get -qq update && apt-get -qq install -y --no-install-recommends "$@"; } < /dev/null > /dev/null || installed=
  if [ -n "$policy_is_ours" ]; then
    rm -f "$policy"
    trap - EXIT
  fi
  [ -n "$installed" ] || say "apt-get failed, see above"
}

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; }

# For scripts/report.
need_python() {
  if ! command -v python3 > /dev/null && can_install; then
    install_packages python3
  fi
  command -v python3 > /dev/null || { say "no Python 3; install it (Debian: python3). It makes the pages of results"; exit 1; }
}

need_servers() {
  local missing=()
  have_redis || missing+=(redis-server)
  have_rabbit || missing+=(rabbitmq-server)
  if [ ${#missing[@]} -gt 0 ] && can_install; then
    install_packages "${missing[@]}"
  fi
  have_redis || { say "no redis-server on the PATH; install it (Debian: redis-server)"; exit 1; }
  have_rabbit || { say "no RabbitMQ; install it (Debian: rabbitmq-server)"; exit 1; }
}

have_postgres() {
  [ -n "${DELAYQUEUE_TEST_POSTGRES_PROGRAMS:-}" ] || ls /usr/lib/postgresql/*/bin/postgres > /dev/null 2>&1 \
    || command -v initdb > /dev/null
}
have_mariadb() {
  [ -n "${DELAYQUEUE_TEST_MARIADB_PROGRAMS:-}" ] || [ -x /usr/sbin/mariadbd ] || command -v mariadbd > /dev/null
}

# Succeeds if the kernel runs 32-bit programs. Tries one that only exits.
runs_32_bits() {
  local program runs=0
  program=$(mktemp)
  printf '\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x03\0\x01\0\0\0\x54\x80\x04\x08\x34\0\0\0\0\0\0\0\0\0\0\0\x34\0\x20\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\x80\x04\x08\0\x80\x04\x08\x5b\0\0\0\x5b\0\0\0\x05\0\0\0\0\x10\0\0\x31\xc0\x40\x31\xdb\xcd\x80' > "$program"
  chmod +x "$program"
  "$program" 2> /dev/null || runs=1
  rm -f "$program"
  return $runs
}

# One of the tests' Redis servers is a 32-bit program. QEMU runs it if the kernel does not.
need_32_bits() {
  if [ "$(uname -m)" != x86_64 ] || runs_32_bits; then
    return
  fi
  if ! command -v qemu-i386-static > /dev/null && can_install; then
    install_packages qemu-user-static
  fi
  command -v qemu-i386-static > /dev/null \
    || { say "this kernel does not run 32-bit programs; install qemu-i386-static (Debian: qemu-user-static)"; exit 1; }
}

need_databases() {
  local missing=()
  have_postgres || missing+=(postgresql)
  have_mariadb || missing+=(mariadb-server)
  if [ ${#missing[@]} -gt 0 ] && can_install; then
    install_packages "${missing[@]}"
  fi
  have_postgres || { say "no PostgreSQL; install it (Debian: postgresql)"; exit 1; }
  have_mariadb || { say "no MariaDB; install it (Debian: mariadb-server)"; exit 1; }
}

have_pgbouncer() {
  [ -n "${DELAYQUEUE_TEST_PGBOUNCER:-}" ] || [ -x /usr/sbin/pgbouncer ] || command -v pgbouncer > /dev/null
}

# For tests with a pooler between the application and the database.
need_pooler() {
  if ! have_pgbouncer && can_install; then
    install_packages pgbouncer
  fi
  have_pgbouncer || { say "no PgBouncer; install it (Debian: pgbouncer)"; exit 1; }
}

have_promtool() { [ -n "${DELAYQUEUE_TEST_PROMTOOL:-}" ] || command -v promtool > /dev/null; }

have_pika() { /usr/bin/python3 -c 'import pika' 2> /dev/null || python3 -c 'import pika' 2> /dev/null; }

# For the test of a producer in Python.
need_pika() {
  if ! have_pika && can_install; then
    install_packages python3-pika
  fi
  have_pika || { say "no Python 3 with pika; install it (Debian: python3-pika)"; exit 1; }
}

# For the tests of the alert rules. The package also has the server, which is not started.
need_promtool() {
  if ! have_promtool && can_install; then
    install_packages prometheus
  fi
  have_promtool || { say "no promtool; install it (Debian: prometheus)"; exit 1; }
}

have_chromium() {
  [ -n "${DELAYQUEUE_TEST_CHROMIUM:-}" ] || command -v chromium > /dev/null || command -v chromium-browser > /dev/null \
    || command -v google-chrome > /dev/null
}
have_chromedriver() { [ -n "${DELAYQUEUE_TEST_CHROMEDRIVER:-}" ] || command -v chromedriver > /dev/null; }

# For the tests of the console's pages. Selenium gets both programs and downloads no browser.
need_browser() {
  local missing=()
  have_chromium || missing+=(chromium)
  have_chromedriver || missing+=(chromium-driver)
  if [ ${#missing[@]} -gt 0 ] && can_install; then
    install_packages "${missing[@]}"
  fi
  have_chromium || { say "no Chromium; install it (Debian: chromium)"; exit 1; }
  have_chromedriver || { say "no driver of Chromium; install it (Debian: chromium-driver)"; exit 1; }
}

# have_node VERSION: succeeds if npm exists, and Node from this version on.
have_node() {
  command -v npm > /dev/null && command -v node > /dev/null \
    && node -e 'process.exit(process.versions.node.split(".")[0] >= Number(process.argv[1]) ? 0 : 1)' "$1"
}

# For the test of a producer in Node, which fetches its AMQP client with npm.
need_node() {
  if ! have_node 18 && can_install; then
    install_packages nodejs npm
  fi
  have_node 18 || { say "no Node from 18 on with npm; install it (Debian: nodejs, npm)"; exit 1; }
}

# For benchmarks of libraries that are written in JavaScript. Succeeds if it is available.
want_node() {
  if ! have_node 20 && can_install; then
    install_packages nodejs npm
  fi
  have_node 20
}

have_movable_clock() { [ -n "${DELAYQUEUE_LIBFAKETIME:-}" ] || ls /usr/lib/*/faketime/libfaketime.so.1 > /dev/null 2>&1; }

# For cells that move a server's clock. Without it they fail with a message.
want_movable_clock() {
  if ! have_movable_clock && can_install; then
    install_packages libfaketime
  fi
  have_movable_clock || say "libfaketime is missing; the cells that move a server's clock will fail (Debian: libfaketime)"
}
