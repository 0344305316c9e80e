# Sourced by what keeps records of measurements: which library they are of.

# The last commit that changed what the library is made of; with a plus if it is not committed. Left out are the control
# API, of which nothing but its counters is measured, the check at start, which is over before anything is measured, and
# the outbox, which is named apart.
library_here() {
  local sources=(src-lua delayqueue-{core,rabbit,spring-boot-autoconfigure}/src/main)
  sources+=(delayqueue-control/src/main/java/io/delayqueue/internal)
  sources+=(':(exclude)delayqueue-core/src/main/java/io/delayqueue/internal/redis/check')
  commit_of "${sources[@]}"
}

# The same of the outbox, for what is measured with one: most is measured without, and need not be measured anew for it.
# Left out is what makes and checks the tables at start.
outbox_here() {
  commit_of delayqueue-jdbc/src/main ':(exclude)delayqueue-jdbc/src/main/java/io/delayqueue/internal/jdbc/schema'
}

# commit_of PATH...: the last commit that changed one of these; with a plus if that is not all.
commit_of() {
  local changed=
  [ -z "$(git status --porcelain -- "$@" 2> /dev/null)" ] || changed=+
  echo "$(git log -1 --abbrev=8 --format=%h -- "$@" 2> /dev/null || echo unknown)$changed"
}
