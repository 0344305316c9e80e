# Sourced by scripts/verify-servers, -platforms and -modules. Stores results in evidence/docs/compatibility/RUN.txt, and writes
# evidence/docs/compatibility.md from these records alone, so that the page keeps the results of runs that were not repeated.
# A record has the lines "version", "commit", "date", "seconds" and "end" (complete, broke off, did not start),
# each followed by its value; "class <class> <tests> <failed>"; "failed <class>#<test>"; and "missing <class>" for a class
# that should have run and did not. The caller defines say(), $results and $commit.

# Prints the tested commit, with a plus if sources other than pages have uncommitted changes.
commit_here() {
  local head changed=
  head=$(git rev-parse --short HEAD 2> /dev/null) || { echo unknown; return; }
  [ -z "$(git status --porcelain -- . ':!docs' ':!evidence/docs')" ] || changed=+
  echo "$head$changed"
}

page=evidence/docs/compatibility.md
records=evidence/docs/compatibility

# keep RUN: writes the record of a run from its reports.
keep() {
  local folder=$results/$1 end=complete
  [ -e "$folder/ended" ] || end="broke off"
  [ -s "$folder/version" ] || end="did not start"
  mkdir -p "$records"
  {
    echo "version $(cat "$folder/version")"
    echo "commit $commit"
    echo "date $(date -u +%F)"
    echo "seconds $(cat "$folder/seconds" 2> /dev/null || echo 0)"
    echo "end $end"
    summary_of "$folder"
  } > "$records/$1.txt"
  say "$1: $(tests_of "$1" | awk '{ print $1 " tests, " $2 " failed" }'); $(outcome_of "$1")"
}

summary_of() {
  local folder=$1 class
  [ -e "$folder/expected" ] || return 0
  if ls "$folder"/TEST-*.xml > /dev/null 2>&1; then
    awk -f scripts/lib/compatibility.awk "$folder"/TEST-*.xml | sort
  fi
  while read -r class; do
    ls "$folder"/TEST-*."$class"*.xml > /dev/null 2>&1 || echo "missing $class"
  done < "$folder/expected"
}

# value_of RUN NAME: prints the value of that line in the record; nothing without a record.
value_of() { sed -n "s/^$2 //p" "$records/$1.txt" 2> /dev/null || true; }

# outcome_of RUN: prints the outcome for its row: "passed", or what is wrong.
outcome_of() {
  local end failed missing
  end=$(value_of "$1" end)
  [ "$end" = complete ] || { echo "**${end:-not run}**"; return; }
  failed=$(value_of "$1" failed | in_code)
  missing=$(value_of "$1" missing | in_code)
  if [ -n "$failed$missing" ]; then
    echo "${failed:+**failed**: $failed}${failed:+${missing:+; }}${missing:+**did not run**: $missing}"
  else
    echo passed
  fi
}

in_code() { awk '{ printf "%s`%s`", n++ ? ", " : "", $0 }'; }

tests_of() { value_of "$1" class | awk '{ tests += $2; failed += $3 } END { print tests + 0, failed + 0 }'; }

# runs_of SCRIPT: prints the names of its runs.
runs_of() {
  case $1 in
    verify-servers)
      echo redis-6.2 redis-7.0 redis-8.0 valkey-8.1 valkey-9.1 rabbitmq-3.10 rabbitmq-3.10-quorum rabbitmq-4.0 \
        rabbitmq-4.0-quorum rabbitmq-4.3 rabbitmq-4.3-quorum postgresql-18 mariadb-11.8 mysql-9.7 ;;
    verify-platforms) echo jdk-21 jdk-25 ;;
    verify-modules) echo redis-clients optional-modules other-libraries ;;
  esac
}

# Prints a line for each run.
table_of_runs() {
  local script run tests failed
  echo "| command | version | tests | failed | took | date | commit | outcome |"
  echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
  for script in verify-servers verify-platforms verify-modules; do
    for run in $(runs_of "$script"); do
      if [ -e "$records/$run.txt" ]; then
        read -r tests failed <<< "$(tests_of "$run")"
        echo "| \`scripts/$script $run\` | $(value_of "$run" version) | $tests | $failed | $(value_of "$run" seconds) s |" \
          "$(value_of "$run" date) | $(value_of "$run" commit) | $(outcome_of "$run") |"
      else
        echo "| \`scripts/$script $run\` | | | | | | | $(outcome_of "$run") |"
      fi
    done
  done
}

# Prints a line for each test class: the number of its tests that passed in each of these runs.
table_of_classes() {
  local run
  echo "| passed tests of |$(printf ' %s |' "$@")"
  echo "| --- |$(printf ' --- |%.0s' "$@")"
  for run; do
    value_of "$run" class | awk -v run="$run" '{ print $1, run, $3 ? ($2 - $3) " of " $2 : $2 }'
  done | awk -v runs="$*" '
    { key = $1 SUBSEP $2; classes[$1]; $1 = $2 = ""; sub(/^ +/, ""); said[key] = $0 }
    END {
      count = split(runs, run, " ")
      for (class in classes) {
        line = "| `" class "` |"
        for (i = 1; i <= count; i++) line = line " " ((class, run[i]) in said ? said[class, run[i]] : "") " |"
        print line
      }
    }' | sort
}

# write_page RUN...: writes the tables of the page. Exits with 1 if one of these runs did not pass.
write_page() {
  local run written bad=0
  written=$(mktemp)
  {
    sed '/<!-- runs: begin -->/q' "$page"
    echo
    table_of_runs
    echo
    sed -n '/<!-- runs: end -->/,/<!-- classes: begin -->/p' "$page"
    echo
    table_of_classes redis-6.2 redis-7.0 redis-8.0 valkey-8.1 valkey-9.1
    echo
    table_of_classes rabbitmq-3.10 rabbitmq-3.10-quorum rabbitmq-4.0 rabbitmq-4.0-quorum rabbitmq-4.3 rabbitmq-4.3-quorum
    echo
    table_of_classes postgresql-18 mariadb-11.8 mysql-9.7
    echo
    # shellcheck disable=SC2046
    table_of_classes $(runs_of verify-platforms)
    echo
    # shellcheck disable=SC2046
    table_of_classes $(runs_of verify-modules)
    echo
    sed -n '/<!-- classes: end -->/,$p' "$page"
  } > "$written"
  cat "$written" > "$page"
  rm -f "$written"
  for run; do
    [ "$(outcome_of "$run")" = passed ] || { say "$run: $(outcome_of "$run")"; bad=1; }
  done
  say "wrote $page"
  return $bad
}

# choose SCRIPT [ARGUMENT...]: sets the array chosen to the named runs, or to all of this script. With --list, names them and
# exits; with --page, writes the page and exits.
choose() {
  local script=$1 argument
  read -ra all <<< "$(runs_of "$script")"
  chosen=()
  shift
  for argument; do
    case $argument in
      --list) printf '%s\n' "${all[@]}"; exit ;;
      --page) write_page "${all[@]}"; exit ;;
      *) [[ " ${all[*]} " == *" $argument "* ]] || { say "unknown run $argument; --list lists the runs"; exit 2; }
         chosen+=("$argument") ;;
    esac
  done
  [ ${#chosen[@]} -gt 0 ] || chosen=("${all[@]}")
}

# unpack_embedded_redis FOLDER CLASS_PATH: unpacks the redis-server for this machine from the jar of embedded-redis.
unpack_embedded_redis() {
  local folder=$1 jar name machine
  jar=$(tr ':' '\n' <<< "$2" | grep '/embedded-redis-[^/]*\.jar$')
  case $(uname -m) in aarch64 | arm64) machine=arm64 ;; *) machine=amd64 ;; esac
  name=$(jar tf "$jar" | grep -E "(^|/)redis-server-.*-linux-$machine\$")
  mkdir -p "$folder"
  (cd "$folder" && jar xf "$jar" "$name" && mv "$name" redis-server && chmod +x redis-server)
}
