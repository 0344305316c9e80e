// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.history.Event.Verb;
import java.util.List;

/** A task asked for in 100 ms, and stored as due in 50. */
final class EarlyAnswer {

    static final List<Entry> ENTRIES = List.of(
            new Entry(
                    "a",
                    1,
                    0,
                    0,
                    new Event.Invoked(
                            1,
                            Verb.SCHEDULE,
                            HandMade.HANDLED,
                            HandMade.ID,
                            "v1",
                            ConflictPolicy.REPLACE,
                            100L,
                            null,
                            null,
                            1_000_000L)),
            new Entry("a", 2, 2000, 2, new Event.Answered(1, Answer.OK, "CREATED", 1050L, 1_002_000L, null)));

    private EarlyAnswer() {}
}
