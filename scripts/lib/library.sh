# Identifies the library in a tree: its Maven version, and the last commit that changed what measurements depend on.

# version_of [TREE]: prints the version in pom.xml.
version_of() { sed -n '/<artifactId>delayqueue-parent</{n;s:.*<version>\(.*\)</version>.*:\1:p;q;}' "${1:-.}/pom.xml"; }

# Prints the last commit that changed the library, with a plus if there are uncommitted changes. Ignores the control API,
# because only its counters are measured, the startup check, which ends before any measurement, and the outbox, which has
# its own version.
library_here() {
  local sources=(src-lua delayqueue-{core,rabbit,spring-boot-autoconfigure}/src/main)
  sources+=(delayqueue-control/src/main/java/io/delayqueue/internal)
  sources+=(':(exclude)delayqueue-core/src/main/java/io/delayqueue/internal/redis/rights')
  commit_of "${sources[@]}"
}

# Prints the same for the outbox, for measurements that use it. Others need not be repeated when the outbox changes.
# Ignores the code that creates and checks the tables at startup.
outbox_here() {
  commit_of delayqueue-jdbc/src/main ':(exclude)delayqueue-jdbc/src/main/java/io/delayqueue/internal/jdbc/schema'
}

# commit_of PATH...: prints the last commit that changed one of these paths, with a plus if there are uncommitted changes.
commit_of() {
  local changed=
  [ -z "$(git status --porcelain -- "$@" 2> /dev/null)" ] || changed=+
  echo "$(git log -1 --abbrev=8 --format=%h -- "$@" 2> /dev/null || echo unknown)$changed"
}
