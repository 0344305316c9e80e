# Reads the reports of one run and prints "class <class> <tests> <failed>" for each test class, nested ones counted with theirs, and
# "failed <class>#<test>" for each test that failed, was in error or was skipped. The class is in the name of the file: inside, tests
# of a contract go by the name of the contract.
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
