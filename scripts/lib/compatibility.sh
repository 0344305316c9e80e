# Sourced by scripts/verify-servers: sums up the reports of its runs and writes them into docs/compatibility.md. The caller defines
# say(), $results and the array all.

page=docs/compatibility.md

# summary_of RUN: "<class> <tests> <failed>" and "! <class>#<test>" a line; "? <class>" for a class that was to run and did not.
summary_of() {
  local folder=$results/$1 class
  [ -e "$folder/expected" ] || return 0
  if ls "$folder"/TEST-*.xml > /dev/null 2>&1; then
    awk -f scripts/lib/compatibility.awk "$folder"/TEST-*.xml | sort
  fi
  while read -r class; do
    ls "$folder"/TEST-*."$class"*.xml > /dev/null 2>&1 || echo "? $class"
  done < "$folder/expected"
}

# outcome_of RUN: what its row says: "passed", or what is wrong.
outcome_of() {
  local summary wrong missing
  [ -e "$results/$1/version" ] || { echo "**not run**"; return; }
  [ -s "$results/$1/version" ] || { echo "**did not start**"; return; }
  [ -e "$results/$1/ended" ] || { echo "**broke off**"; return; }
  summary=$(summary_of "$1")
  wrong=$(awk '/^!/ { printf "%s`%s`", n++ ? ", " : "", $2 }' <<< "$summary")
  missing=$(awk '/^\?/ { printf "%s`%s`", n++ ? ", " : "", $2 }' <<< "$summary")
  if [ -n "$wrong$missing" ]; then
    echo "${wrong:+**failed**: $wrong}${wrong:+${missing:+; }}${missing:+**did not run**: $missing}"
  else
    echo passed
  fi
}

tests_of() { summary_of "$1" | awk '!/^[!?]/ { tests += $2; failed += $3 } END { print tests + 0, failed + 0 }'; }

sum_up() { say "$1: $(tests_of "$1" | awk '{ print $1 " tests, " $2 " failed" }'); $(outcome_of "$1")"; }

tables() {
  local run folder tests failed
  echo "| run | version, as the server says it | tests | failed | took | date | outcome |"
  echo "| --- | --- | --- | --- | --- | --- | --- |"
  for run in "${all[@]}"; do
    folder=$results/$run
    read -r tests failed <<< "$(tests_of "$run")"
    echo "| $run | $(cat "$folder/version" 2> /dev/null) | $tests | $failed | $(cat "$folder/seconds" 2> /dev/null || echo 0) s |" \
      "$(cat "$folder/ended" 2> /dev/null) | $(outcome_of "$run") |"
  done
  echo
  table_of_classes redis-6.2 redis-7.0 redis-8.0 valkey-8.1
  echo
  table_of_classes rabbitmq-3.10 rabbitmq-3.10-quorum rabbitmq-4.0 rabbitmq-4.0-quorum
}

# A line for each test class: how many of its tests passed in each of these runs.
table_of_classes() {
  local run
  echo "| passed tests of |$(printf ' %s |' "$@")"
  echo "| --- |$(printf ' --- |%.0s' "$@")"
  for run; do
    summary_of "$run" | awk -v run="$run" '!/^[!?]/ { print $1, run, $3 ? ($2 - $3) " of " $2 : $2 }'
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

# Exits with 1 if a row says anything but "passed".
write_page() {
  local run written bad=0
  written=$(mktemp)
  {
    sed '/<!-- written by scripts\/verify-servers: begin -->/q' "$page"
    echo
    tables
    echo
    sed -n '/<!-- written by scripts\/verify-servers: end -->/,$p' "$page"
  } > "$written"
  cat "$written" > "$page"
  rm -f "$written"
  for run in "${all[@]}"; do
    [ "$(outcome_of "$run")" = passed ] || { say "$run: $(outcome_of "$run")"; bad=1; }
  done
  say "wrote $page"
  return $bad
}

# unpack_embedded_redis FOLDER CLASS_PATH: the redis-server that the jar of embedded-redis carries for this machine.
unpack_embedded_redis() {
  local folder=$1 jar name machine
  jar=$(tr ':' '\n' <<< "$2" | grep '/embedded-redis-[^/]*\.jar$')
  case $(uname -m) in aarch64 | arm64) machine=arm64 ;; *) machine=amd64 ;; esac
  name=$(jar tf "$jar" | grep -E "(^|/)redis-server-.*-linux-$machine\$")
  mkdir -p "$folder"
  (cd "$folder" && jar xf "$jar" "$name" && mv "$name" redis-server && chmod +x redis-server)
}
