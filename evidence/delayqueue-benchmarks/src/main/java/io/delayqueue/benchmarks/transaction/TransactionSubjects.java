// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Subjects;
import java.util.List;

/** Creates subjects by name. */
public final class TransactionSubjects {

    private TransactionSubjects() {}

    public static TransactionSubject open(String name, Place place, List<String> properties) {
        return switch (name) {
            case Subjects.DELAYQUEUE -> new OutboxSubject(place, properties);
            case Subjects.PLAIN_INSERTS -> new PlainInsertsSubject(place);
            case Subjects.TWO_INSERTS -> new TwoInsertsSubject(place);
            case Subjects.DB_SCHEDULER -> new DbSchedulerSubject(place);
            case Subjects.NAMASTACK -> new NamastackSubject(place);
            default -> throw new IllegalArgumentException("No subject is called " + name);
        };
    }
}
