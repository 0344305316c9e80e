// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.check.Finding;
import io.delayqueue.faults.check.Rule;
import io.delayqueue.faults.outbox.Deliveries.Settled;
import io.delayqueue.faults.outbox.Journal.Change;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveriesTests {

    private static final Change FIRST = new Change("a", Change.Verb.SCHEDULE, "first", 1L);
    private static final Change SECOND = new Change("a", Change.Verb.SCHEDULE, "second", 1L);
    private static final Change CANCEL = new Change("a", Change.Verb.CANCEL, null, null);
    private static final Change RESCHEDULE = new Change("a", Change.Verb.RESCHEDULE, null, 2L);

    /** The clock when the outbox was empty, and tokens of deliveries that began before and after. */
    private static final long EMPTY_MILLIS = 1000;

    private static final long BEFORE = 90_000;
    private static final long AFTER = 200_000;

    private final Deliveries deliveries = new Deliveries();

    @Test
    void whatWasCommittedAndDeliveredIsFine() {
        deliveries.add("a", "first", "k1", BEFORE);
        deliveries.add("a", "second", "k2", AFTER);

        assertThat(broken(FIRST, SECOND)).isEmpty();
    }

    @Test
    void whatIsSentAgainMayComeAgainAsTheSameTaskInTheSameOrder() {
        deliveries.add("a", "first", "k1", BEFORE);
        deliveries.add("a", "second", "k2", BEFORE + 1);
        deliveries.add("a", "first", "k1", BEFORE + 2);
        deliveries.add("a", "second", "k2", BEFORE + 3);

        assertThat(broken(FIRST, SECOND)).isEmpty();
        assertThat(deliveries.repeated()).isEqualTo(2);
    }

    @Test
    void whatWasNeverCommittedIsUnexpected() {
        deliveries.add("a", "rolled back", "k1", BEFORE);
        assertThat(broken(CANCEL)).containsExactly(Rule.UNEXPECTED);
    }

    @Test
    void anIdOfWhichNothingWasCommittedIsUnexpected() {
        deliveries.add("b", "rolled back", "k1", BEFORE);
        assertThat(broken(CANCEL)).containsExactly(Rule.UNEXPECTED);
    }

    @Test
    void whatComesAgainAsAnotherTaskIsADuplicate() {
        deliveries.add("a", "first", "k1", BEFORE);
        deliveries.add("a", "first", "k2", BEFORE + 1);
        assertThat(broken(FIRST)).containsExactly(Rule.DUPLICATE);
        assertThat(broken(FIRST, RESCHEDULE)).isEmpty();
    }

    @Test
    void twoTasksOfOneKeyAreADuplicate() {
        deliveries.add("a", "first", "k1", BEFORE);
        deliveries.add("a", "second", "k1", BEFORE + 1);
        assertThat(broken(FIRST, SECOND)).containsExactly(Rule.DUPLICATE);
    }

    @Test
    void whatWasCancelledMayNotComeWhenTheOutboxIsEmpty() {
        deliveries.add("a", "first", "k1", BEFORE);
        assertThat(broken(FIRST, CANCEL)).isEmpty();
        deliveries.add("a", "first", "k1", AFTER);
        assertThat(broken(FIRST, CANCEL)).containsExactly(Rule.CANCELLED);
    }

    @Test
    void whatWasReplacedMayNotComeWhenTheOutboxIsEmpty() {
        deliveries.add("a", "first", "k1", AFTER);
        deliveries.add("a", "second", "k2", AFTER + 1);
        assertThat(broken(FIRST, SECOND)).containsExactly(Rule.REPLACED);
    }

    @Test
    void whatWasCommittedLastHasToCome() {
        deliveries.add("a", "first", "k1", BEFORE);
        assertThat(broken(FIRST, SECOND)).containsExactly(Rule.LOST);
    }

    @Test
    void whatWasCommittedLastHasToComeLast() {
        deliveries.add("a", "second", "k2", BEFORE);
        deliveries.add("a", "first", "k1", BEFORE + 1);
        assertThat(broken(FIRST, SECOND)).containsExactly(Rule.COMMIT_ORDER);
    }

    @Test
    void orderIsNotJudgedWhereItIsNotPromised() {
        deliveries.add("a", "second", "k2", BEFORE);
        deliveries.add("a", "first", "k1", AFTER);
        Settled settled = new Settled("a round", "a", EMPTY_MILLIS, List.of(FIRST, SECOND), false);
        assertThat(deliveries.judge(List.of(settled))).isEmpty();
    }

    private List<Rule> broken(Change... committed) {
        Settled settled = new Settled("a round", "a", EMPTY_MILLIS, Arrays.asList(committed), true);
        return deliveries.judge(List.of(settled)).stream().map(Finding::rule).toList();
    }
}
