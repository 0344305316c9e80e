// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.faults.check.Finding;
import io.delayqueue.faults.check.Rule;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Runs {@link OutboxRounds} and prints one line with the result. */
public final class RoundsCell {

    /** The beginning of the line with the result. */
    public static final String NAME = "outbox-rounds";

    private static final int MOST_FINDINGS = 20;

    private RoundsCell() {}

    /**
     * Runs in a separate JVM, so that another library can be on its class path.
     *
     * @param arguments the database, the number of rounds, the seed
     */
    public static void main(String[] arguments) throws InterruptedException {
        RoundsDatabase database = RoundsDatabase.named(List.of(arguments[0])).get(0);
        boolean kept = run(database, Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
        System.exit(kept ? 0 : 1);
    }

    /** Returns whether every guarantee was kept. */
    public static boolean run(RoundsDatabase database, int count, long seed) throws InterruptedException {
        try (OutboxRounds rounds = new OutboxRounds(database)) {
            rounds.run(count, seed);
            List<Finding> findings = rounds.findings();
            Set<Rule> broken = new TreeSet<>();
            findings.forEach(finding -> broken.add(finding.rule()));
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %s %d rounds on %s, seed %d, %d died, Redis froze in %d (order not judged in %d), %d"
                            + " repeated deliveries; reached steps %s%s%n",
                    NAME,
                    findings.isEmpty() ? "ok  " : "FAIL",
                    count,
                    rounds.database(),
                    seed,
                    rounds.deaths(),
                    rounds.standstills(),
                    rounds.tooLongStandstills(),
                    rounds.repeated(),
                    rounds.met(),
                    findings.isEmpty() ? "" : ", broken " + broken);
            findings.stream()
                    .limit(MOST_FINDINGS)
                    .forEach(finding -> System.out.println("    " + finding.rule() + " " + finding.what()));
            return findings.isEmpty();
        }
    }
}
