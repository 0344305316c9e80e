# Reads the reports of one run. Prints "class <class> <tests> <failed>" for each test class, including its nested classes, and
# "failed <class>#<test>" for each test that failed, had an error or was skipped. The class is in the file name, because
# the file itself names the contract for tests of a contract.
FNR == 1 {
  class = FILENAME; sub(/.*\/TEST-/, "", class); sub(/\.xml$/, "", class); sub(/\$.*/, "", class); sub(/.*\./, "", class)
}
/^ *<testcase / {
  test = $0; sub(/.*<testcase name="/, "", test); sub(/["({].*/, "", test)
  tests[class]++
  is_open = 1
}
is_open && /^ *<(failure|error|skipped)[ >\/]/ { failed[class]++; print "failed " class "#" test; is_open = 0 }
END { for (class in tests) print "class", class, tests[class], failed[class] + 0 }
