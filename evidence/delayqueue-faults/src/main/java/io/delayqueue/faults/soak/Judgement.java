// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.check.Verdict;
import java.util.List;

/** The checker's judgement of a run's histories; see {@link Verdict}. */
record Judgement(
        int scheduled,
        int unknown,
        int delivered,
        int dead,
        int cancelled,
        int lost,
        int early,
        int explained,
        int unexplained,
        List<String> broken) {

    static Judgement of(Verdict verdict) {
        return new Judgement(
                verdict.scheduled(),
                verdict.unknown(),
                verdict.delivered(),
                verdict.dead(),
                verdict.cancelled(),
                verdict.lost(),
                verdict.early(),
                verdict.explained(),
                verdict.unexplained(),
                verdict.broken().stream().map(Enum::name).toList());
    }
}
