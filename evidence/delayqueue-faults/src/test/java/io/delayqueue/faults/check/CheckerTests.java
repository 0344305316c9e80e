// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import static io.delayqueue.faults.check.HandMade.forwarded;
import static io.delayqueue.faults.check.HandMade.handled;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.check.CheckSettings.Window;
import io.delayqueue.faults.history.Event.Change;
import io.delayqueue.faults.history.Event.End;
import io.delayqueue.faults.history.Event.Ending;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule reports its violations, and nothing that only looks like one. */
class CheckerTests {

    /** Each row has the name of the case, the rules that it breaks, and its history. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            scheduled when never seen again is lost | LOST | handled; schedule 0 v1 CREATED 100
            scheduled when only acquired is lost | LOST | handled; schedule 0 v1 CREATED 100; acquire 100 1 100
            scheduled when its handling never ended is lost | LOST | handled; withFaults; schedule 0 v1 CREATED 100; \
                acquire 100 1 100; start 104 v1 1 1 100; change 105 a KILLED
            scheduled when a cancel may have run may be gone | none | handled; schedule 0 v1 CREATED 100; \
                cancelUnknown 50
            scheduled when a cancel found nothing is lost | LOST | handled; schedule 0 v1 CREATED 100; \
                cancel 50 NOT_FOUND
            scheduled when another was created in its place is lost | LOST | handled; schedule 0 v1 CREATED 100; \
                schedule 50 v2 CREATED 100; deliver 100 v2 1 100
            scheduled when an earlier call ended something is lost | LOST | handled; cancel 0 CANCELLED; \
                schedule 50 v1 CREATED 100
            rescheduled when delivered at its new time is kept | none | handled; schedule 0 v1 CREATED 100; \
                rescheduleAfter 50 RESCHEDULED 150; deliver 201 v1 1 201
            rescheduled in flight when not delivered again is lost | LOST | handled; schedule 0 v1 CREATED 100; \
                acquire 100 1 100; start 103 v1 1 1 100; reschedule 104 IN_FLIGHT 200; end 110 v1 1 OK; \
                settle 111 1 ACK false false
            delivered when nobody scheduled it is unexpected | UNEXPECTED | handled; deliver 100 v1 1 100
            delivered when it was kept out is unexpected | UNEXPECTED | handled; schedule 0 v1 CREATED 100; \
                schedule 10 v2 KEPT 100; deliver 100 v1 1 100; deliver 200 v2 2 100
            delivered when the call had failed for sure is unexpected | UNEXPECTED | handled; \
                scheduleFailed 0 v1 100; deliver 100 v1 1 100
            delivered when the answer was unknown is expected | none | handled; scheduleUnknown 0 v1 100; \
                deliver 100 v1 1 100
            delivered when its due time is nobodys is unexpected | UNEXPECTED | handled; schedule 0 v1 CREATED 100; \
                deliver 300 v1 1 250
            delivered when before its time is early | EARLY | handled; schedule 0 v1 CREATED 150; deliver 130 v1 1 150
            delivered when within what the clocks may be off is in time | none | handled; schedule 0 v1 CREATED 108; \
                deliver 100 v1 1 108
            stored when due before what was asked for is early | EARLY | handled; \
                scheduleAfter 1000 v1 CREATED 100 1050; deliver 1100 v1 1 1050
            stored when the task was rescheduled before the request was sent again is due as rescheduled | none | \
                handled; scheduleAfterUnknown 950 v1 500; rescheduleAfter 960 RESCHEDULED 100; \
                scheduleAfter 1000 v1 CREATED 500 1061; deliver 1100 v1 1 1061
            stored when the task is rescheduled later is due as it was asked for | EARLY | handled; \
                scheduleAfter 1000 v1 CREATED 500 1061; rescheduleAfter 1010 RESCHEDULED 51; deliver 1100 v1 1 1061
            stored when the request was sent again is due as at the first time | none | handled; \
                scheduleAfterUnknown 950 v1 100; scheduleAfter 1000 v1 CREATED 100 1051; deliver 1100 v1 1 1051
            cancelled when delivered later is a lie | CANCELLED | handled; schedule 0 v1 CREATED 100; \
                cancel 50 CANCELLED; deliver 100 v1 1 100
            cancelled when a delivery was under way is a lie | CANCELLED | handled; schedule 0 v1 CREATED 100; \
                acquire 100 1 100; start 104 v1 1 1 100; cancel 110 CANCELLED; end 120 v1 1 OK; \
                settle 121 1 ACK false false
            cancelled when the message arrives later is a lie | CANCELLED | forwarded; schedule 0 v1 CREATED 100; \
                acquire 100 1 100; cancel 103 CANCELLED; arrive 110 v1 1 100 false
            cancelled when an attempt had failed is true | none | handled; schedule 0 v1 CREATED 100; \
                fail 100 v1 1 1 100; cancel 120 CANCELLED
            in flight when the running delivery ends is true | none | handled; schedule 0 v1 CREATED 100; \
                acquire 100 1 100; cancel 103 IN_FLIGHT; start 110 v1 1 1 100; end 120 v1 1 OK; \
                settle 121 1 ACK false false
            in flight when another delivery begins is a lie | CANCELLED | handled; withFaults; \
                schedule 0 v1 CREATED 100; fail 100 v1 1 1 100; cancel 120 IN_FLIGHT; deliver 200 v1 2 100
            not found when delivered later is a lie | CANCELLED | handled; schedule 0 v1 CREATED 100; \
                cancel 50 NOT_FOUND; deliver 100 v1 1 100
            discarded dead when delivered later is a lie | CANCELLED | handled; schedule 0 v1 CREATED 100; \
                cancel 50 DISCARDED_DEAD; deliver 100 v1 1 100
            not found when delivered before is true | none | handled; schedule 0 v1 CREATED 100; \
                deliver 100 v1 1 100; cancel 150 NOT_FOUND
            cancelled when the request was sent again may be delivered | none | handled; scheduleUnknown 0 v1 100; \
                cancel 50 CANCELLED; schedule 60 v1 CREATED 100; deliver 100 v1 1 100
            cancelled when it is dead in the end is a lie | CANCELLED | handled; schedule 0 v1 CREATED 100; \
                fail 100 v1 1 1 100; fail 200 v1 2 2 100; fail 300 v1 3 3 100; cancel 250 CANCELLED; \
                dead v1 3 0 failed
            replaced when only the new one is delivered is true | none | handled; schedule 0 v1 CREATED 100; \
                schedule 50 v2 REPLACED 200; deliver 200 v2 1 200
            replaced when the old one is delivered later is a lie | REPLACED | handled; schedule 0 v1 CREATED 100; \
                schedule 50 v2 REPLACED 200; deliver 100 v1 1 100; deliver 200 v2 2 200
            replaced in flight when the old one starts later under its lease is true | none | handled; \
                schedule 0 v1 CREATED 100; acquire 100 1 100; schedule 103 v2 REPLACED_IN_FLIGHT 200; \
                start 110 v1 1 1 100; end 120 v1 1 OK; settle 121 1 ACK false false; deliver 200 v2 2 200
            created when the old one is still delivered is a lie | REPLACED | handled; schedule 0 v1 CREATED 100; \
                schedule 50 v2 CREATED 200; deliver 100 v1 1 100; deliver 200 v2 2 200
            rescheduled when delivered at its old time is a lie | REPLACED | handled; schedule 0 v1 CREATED 100; \
                reschedule 50 RESCHEDULED 300; deliver 100 v1 1 100; deliver 300 v1 2 300
            rescheduled when a delivery was under way is a lie | REPLACED | handled; schedule 0 v1 CREATED 100; \
                acquire 100 1 100; start 103 v1 1 1 100; reschedule 104 RESCHEDULED 300; end 110 v1 1 OK; \
                settle 111 1 ACK false false; deliver 300 v1 2 300
            rescheduled in flight when delivered at both times is true | none | handled; schedule 0 v1 CREATED 100; \
                acquire 100 1 100; start 103 v1 1 1 100; reschedule 104 IN_FLIGHT 300; end 110 v1 1 OK; \
                settle 111 1 ACK false false; deliver 300 v1 2 300
            again when some other process was killed is a duplicate | DUPLICATE | handled; withFaults; \
                schedule 0 v1 CREATED 100; deliver 100 v1 1 100; change 150 b KILLED; deliver 200 v1 2 100
            again when the lease ran out after it was settled is a duplicate | DUPLICATE | handled; withFaults; \
                schedule 0 v1 CREATED 100; deliver 100 v1 1 100; deliver 5300 v1 2 100
            again when the message was said to have failed for sure is a duplicate | DUPLICATE | forwarded; \
                withFaults; schedule 0 v1 CREATED 100; acquire 100 1 100; arrive 110 v1 1 100 false; \
                settle 2110 1 RETRY false true; acquire 2300 2 100; arrive 2310 v1 2 100 false
            message when it comes twice under one lease is a duplicate | DUPLICATE | forwarded; withFaults; \
                schedule 0 v1 CREATED 100; acquire 100 1 100; arrive 110 v1 1 100 false; arrive 120 v1 1 100 false
            message when the broker gives it again is explained | none | forwarded; withFaults; \
                schedule 0 v1 CREATED 100; acquire 100 1 100; arrive 110 v1 1 100 false; arrive 120 v1 1 100 true
            again when the request was sent again is explained | none | handled; withFaults; \
                scheduleUnknown 0 v1 100; deliver 100 v1 1 100; schedule 500 v1 CREATED 100; deliver 510 v1 2 100
            again when the call was still going on is explained | none | handled; withFaults; \
                scheduleSlowly 0 500 v1 CREATED 100; deliver 100 v1 1 100; deliver 480 v1 2 100
            end of a lease when it had run out but nobody took the task is right | none | handled; withFaults; \
                schedule 0 v1 CREATED 100; acquire 100 1 100; start 104 v1 1 1 100; end 7000 v1 1 OK; \
                settle 7001 1 ACK false true
            end of a lease when a cancel had ended it and it is accepted is wrong | STALE_SETTLE | handled; \
                schedule 0 v1 CREATED 100; acquire 100 1 100; start 104 v1 1 1 100; cancel 110 IN_FLIGHT; \
                end 120 v1 1 OK; settle 121 1 ACK false true
            request when it is made again and replaces the task under lease ends that | STALE_SETTLE | handled; \
                withFaults; schedule 0 v1 CREATED 100; scheduleUnknown 50 v2 200; acquire 100 1 100; \
                start 104 v1 1 1 100; schedule 110 v2 REPLACED_IN_FLIGHT 200; end 116 v1 1 OK; \
                settle 117 1 ACK false true; deliver 200 v2 2 200
            request when it is made again under a lease of its task ends nothing | none | handled; withFaults; \
                scheduleUnknown 0 v1 100; acquire 100 1 100; schedule 110 v1 CREATED 100; start 115 v1 1 1 100; \
                end 116 v1 1 OK; settle 117 1 ACK false true
            old version when a newer one of unknown storing was delivered is gone | REVIVED | handled; \
                schedule 0 v1 CREATED 300; scheduleUnknown 50 v2 200; deliver 200 v2 1 200; deliver 300 v1 2 300
            new version when the old one was delivered first is expected | none | handled; \
                schedule 0 v1 CREATED 100; scheduleUnknown 50 v2 200; deliver 100 v1 1 100; deliver 200 v2 2 200
            task when still live is left over | LEFT_OVER | handled; schedule 0 v1 CREATED 100; live v1
            task when of unknown storing and still live is left over | LEFT_OVER | handled; \
                scheduleUnknown 0 v1 100; live v1
            tasks of a key when spaced as its rate says and one after the other are within its limits | none | handled; \
                limited 50; of {k}:a; schedule 0 v1 CREATED 100; deliver 100 v1 1 100; of {k}:b; \
                schedule 0 v2 CREATED 100; deliver 150 v2 2 100
            tasks of a key when too close are over its limit | OVER_LIMIT | handled; limited 50; of {k}:a; \
                schedule 0 v1 CREATED 100; deliver 100 v1 1 100; of {k}:b; schedule 0 v2 CREATED 100; \
                deliver 140 v2 2 100
            tasks of a key when they are a burst are within its limits | none | handled; limited 100 2; of {k}:a; \
                schedule 0 v1 CREATED 100; deliver 100 v1 1 100; of {k}:b; schedule 0 v2 CREATED 100; \
                deliver 130 v2 2 100; of {k}:c; schedule 0 v3 CREATED 100; deliver 205 v3 3 100
            tasks of a key when more than a burst are over its limit | OVER_LIMIT | handled; limited 100 2; \
                of {k}:a; schedule 0 v1 CREATED 100; deliver 100 v1 1 100; of {k}:b; schedule 0 v2 CREATED 100; \
                deliver 130 v2 2 100; of {k}:c; schedule 0 v3 CREATED 100; deliver 190 v3 3 100
            tasks of two keys when close are within their limits | none | handled; limited 50; of {k}:a; \
                schedule 0 v1 CREATED 100; deliver 100 v1 1 100; of {l}:b; schedule 0 v2 CREATED 100; \
                deliver 101 v2 2 100
            tasks of a key when both are in progress are over its limit | OVER_LIMIT | handled; limited 10; \
                of {k}:a; schedule 0 v1 CREATED 100; acquire 100 1 100; start 104 v1 1 1 100; of {k}:b; \
                schedule 0 v2 CREATED 100; deliver 120 v2 2 100; of {k}:a; end 190 v1 1 OK; \
                settle 191 1 ACK false true
            tasks of a key when the first lease has ended are within its limits | none | handled; withFaults; \
                limited 10; of {k}:a; schedule 0 v1 CREATED 100; acquire 100 1 100; start 104 v1 1 1 100; \
                of {k}:b; schedule 0 v2 CREATED 100; deliver 5102 v2 2 100; of {k}:a; end 5190 v1 1 OK; \
                settle 5191 1 ACK false true
            key when it belongs to nothing is left over | LEFT_OVER | handled; left dq:{handled:0}:leases task
            dead when its leases ran out too often is right | none | handled; withFaults; schedule 0 v1 CREATED 100; \
                dead v1 0 6 lease expired
            dead when its leases ran out less often is wrong | DEAD_ATTEMPTS | handled; withFaults; \
                schedule 0 v1 CREATED 100; dead v1 0 2 lease expired
            """)
    void historyBreaksTheseRulesAndNoOther(String name, String rules, String history) {
        assertThat(HandMade.told(history).verdict().broken())
                .extracting(Rule::name)
                .containsExactlyInAnyOrder(rules.equals("none") ? new String[0] : rules.split(" "));
    }

    private static void acquits(HandMade history) {
        assertThat(history.verdict().findings()).isEmpty();
    }

    private static void convicts(HandMade history, Rule... rules) {
        assertThat(history.verdict().broken()).containsExactlyInAnyOrder(rules);
    }

    @Nested
    class Lost {

        @Test
        void scheduledWhenDeliveredIsKept() {
            HandMade history = handled().schedule(0, "v1", "CREATED", 100).deliver(100, "v1", 1, 100);
            acquits(history);
            assertThat(history.verdict().scheduled()).isOne();
            assertThat(history.verdict().delivered()).isOne();
        }

        @Test
        void scheduledWhenItsAnswerWasUnknownMayBeGone() {
            HandMade history = handled().scheduleUnknown(0, "v1", 100);
            acquits(history);
            assertThat(history.verdict().unknown()).isOne();
        }

        @Test
        void committedWhenAnotherAnswerIsUnknownIsCountedAsNotJudged() {
            HandMade judged = handled().schedule(0, "v1", "COMMITTED", 100).deliver(100, "v1", 1, 100);
            assertThat(judged.verdict().exempt()).isZero();
            HandMade exempt = handled().schedule(0, "v1", "COMMITTED", 100).cancelUnknown(50);
            acquits(exempt);
            assertThat(exempt.verdict().exempt()).isOne();
            assertThat(exempt.verdict().line()).contains("order of 1 ids not judged");
        }

        @Test
        void scheduledWhenAFailoverMayHaveUndoneItIsAllowed() {
            HandMade history = handled();
            history.with(history.settings().withLossWithin(List.of(new Window(0, 50_000))))
                    .schedule(0, "v1", "CREATED", 100);
            acquits(history);
            assertThat(history.verdict().lossAllowed()).isOne();
        }

        @Test
        void scheduledWhenTheFailoverWasLaterIsLost() {
            HandMade history = handled();
            convicts(
                    history.with(history.settings().withLossWithin(List.of(new Window(50_000, 90_000))))
                            .schedule(0, "v1", "CREATED", 100),
                    Rule.LOST);
        }
    }

    @Nested
    class Unexpected {

        @Test
        void deadWhenNobodyScheduledItIsUnexpected() {
            convicts(handled().dead("v1", HandMade.MAX_ATTEMPTS, 0, "x"), Rule.UNEXPECTED, Rule.DEAD_ATTEMPTS);
        }

        @Test
        void rescheduledWhenTheCallWasSentAgainAfterTheDeliveryIsDueAsAsked() {
            acquits(rescheduledUnseen().withFaults());
            convicts(rescheduledUnseen(), Rule.UNEXPECTED);
        }

        @Test
        void storedWhenTheCallWasSentAgainAfterTheDeliveryIsDueAsItWasAtFirst() {
            acquits(storedAgain(60).withFaults());
            convicts(storedAgain(60), Rule.UNEXPECTED);
            convicts(storedAgain(20).withFaults(), Rule.UNEXPECTED);
        }

        /**
         * Returns a history of a task that is due after 50 ms: stored, delivered, stored again by a repeated request,
         * and replaced.
         */
        private HandMade storedAgain(long firstDue) {
            return handled()
                    .scheduleAfterSlowly(0, 200, "v1", "CREATED", 50, 240)
                    .deliver(100, "v1", 1, firstDue)
                    .schedule(210, "v2", "REPLACED", 500)
                    .deliver(500, "v2", 2, 500);
        }

        private HandMade rescheduledUnseen() {
            return handled()
                    .schedule(0, "v1", "CREATED", 1000)
                    .rescheduleSlowly(100, 300, "NOT_FOUND", 200)
                    .deliver(200, "v1", 1, 200);
        }
    }

    @Nested
    class Early {

        @Test
        void deliveredWhenTheClockWasSetSaysNothing() {
            HandMade history = handled();
            acquits(history.with(history.settings().withClockSetWithin(List.of(new Window(100_000, 140_000))))
                    .schedule(0, "v1", "CREATED", 150)
                    .deliver(130, "v1", 1, 150));
        }

        @Test
        void deliveredAgainWhenTheClockWasSetBackAfterItHadBeenDueIsInTime() {
            acquits(dueOnceThenClockBack(1_000));
        }

        @Test
        void deliveredAgainWhenItHadNotBeenDueIsEarly() {
            convicts(dueOnceThenClockBack(1_200), Rule.EARLY);
        }

        /** Failed when Redis said 1,100 ms, and again under a lease that it gave when it said 500 ms. */
        private HandMade dueOnceThenClockBack(long due) {
            HandMade history = handled();
            return history.with(history.settings().withClockSetWithin(List.of(new Window(1_090_000, 1_150_000))))
                    .schedule(0, "v1", "CREATED", due)
                    .fail(1_100, "v1", 1, 1, due)
                    .withRedisClock(-700)
                    .deliver(1_200, "v1", 2, due);
        }
    }

    @Nested
    class Cancelled {

        @Test
        void cancelledWhenNeverDeliveredIsTrue() {
            HandMade history = handled().schedule(0, "v1", "CREATED", 100).cancel(50, "CANCELLED");
            acquits(history);
            assertThat(history.verdict().cancelled()).isOne();
        }

        @Test
        void cancelledWhenAFailoverMayHaveUndoneItMayBeDelivered() {
            HandMade history = handled();
            acquits(history.with(history.settings().withLossWithin(List.of(new Window(40_000, 60_000))))
                    .schedule(0, "v1", "CREATED", 100)
                    .cancel(50, "CANCELLED")
                    .deliver(100, "v1", 1, 100));
        }
    }

    @Nested
    class Duplicate {

        private HandMade killed() {
            return handled()
                    .acquiringAt(348)
                    .schedule(0, "v1", "CREATED", 100)
                    .acquire(100, 1, 100)
                    .start(104, "v1", 1, 1, 100)
                    .change(105, "a", Change.KILLED)
                    .in("b");
        }

        @Test
        void againWhenNothingFailedIsADuplicate() {
            HandMade history = handled()
                    .withFaults()
                    .schedule(0, "v1", "CREATED", 100)
                    .deliver(100, "v1", 1, 100)
                    .deliver(200, "v1", 2, 100);
            convicts(history, Rule.DUPLICATE);
            assertThat(history.verdict().unexplained()).isOne();
        }

        @Test
        void againWhenTheLeaseOfAKilledProcessHadRunOutIsExplained() {
            HandMade history = killed().withFaults().deliver(5200, "v1", 2, 100);
            acquits(history);
            assertThat(history.verdict().explained()).isOne();
        }

        /** Scripts compare milliseconds. */
        @Test
        void againInTheMillisecondInWhichTheLeaseOfAKilledProcessEndsIsExplained() {
            acquits(killed().acquiringAt(319).withFaults().deliver(5100, "v1", 2, 100));
            convicts(killed().acquiringAt(999).withFaults().deliver(5099, "v1", 2, 100), Rule.DUPLICATE);
        }

        @Test
        void againWhenTheLeaseOfAKilledProcessHadNotRunOutIsADuplicate() {
            convicts(killed().withFaults().deliver(300, "v1", 2, 100), Rule.DUPLICATE);
        }

        @Test
        void againWhenThereWasNoFaultIsADuplicateWhateverTheCause() {
            convicts(killed().deliver(5200, "v1", 2, 100), Rule.DUPLICATE);
        }

        @Test
        void againWhenAnotherShardHadItAfterAFailoverIsExplained() {
            HandMade history = inTwoShards(new Window(20_000, 40_000), 1);
            acquits(history);
            assertThat(history.verdict().explained()).isOne();
        }

        @Test
        void againWhenTheSameShardHadItAfterAFailoverIsADuplicate() {
            convicts(inTwoShards(new Window(20_000, 40_000), 0), Rule.DUPLICATE);
        }

        @Test
        void againWhenAnotherShardHadItWithoutAFailoverSinceItWasStoredIsADuplicate() {
            convicts(inTwoShards(new Window(1_000, 4_000), 1), Rule.DUPLICATE);
        }

        private HandMade inTwoShards(Window failover, int second) {
            HandMade history = handled();
            return history.with(
                            history.settings().withLossWithin(List.of(failover)).withAnswersThatLast())
                    .schedule(10, "v1", "CREATED", 100)
                    .deliver(100, "v1", 1, 100)
                    .inShard(second)
                    .deliver(200, "v1", 2, 100);
        }

        @Test
        void againWhenItFailedIsATry() {
            HandMade history = handled()
                    .schedule(0, "v1", "CREATED", 100)
                    .fail(100, "v1", 1, 1, 100)
                    .deliver(200, "v1", 2, 100);
            acquits(history);
            assertThat(history.verdict().explained()).isZero();
        }

        @Test
        void againWhenTheConfirmStayedUnknownIsExplained() {
            HandMade history = forwarded()
                    .withFaults()
                    .schedule(0, "v1", "CREATED", 100)
                    .acquire(100, 1, 100)
                    .arrive(110, "v1", 1, 100, false)
                    .settle(2110, 1, Ending.RETRY, true, true)
                    .acquire(2300, 2, 100)
                    .arrive(2310, "v1", 2, 100, false)
                    .settle(2320, 2, Ending.ACK, false, true);
            acquits(history);
            assertThat(history.verdict().explained()).isOne();
        }

        @Test
        void againWhenAFailoverMayHaveUndoneTheFirstIsExplained() {
            HandMade history = handled();
            acquits(history.with(history.settings().withLossWithin(List.of(new Window(100_000, 180_000))))
                    .schedule(0, "v1", "CREATED", 100)
                    .deliver(100, "v1", 1, 100)
                    .deliver(200, "v1", 2, 100));
        }
    }

    @Nested
    class TokenOrder {

        private HandMade twice(long first, long second, Long refusedBy) {
            return handled()
                    .schedule(0, "v1", "CREATED", 100)
                    .acquire(100, first, 100)
                    .start(104, "v1", first, 1, 100)
                    .fence(104, "v1", first, null)
                    .end(105, "v1", first, End.FAILED)
                    .settle(106, first, Ending.RETRY, false, true)
                    .acquire(300, second, 100)
                    .start(304, "v1", second, 2, 100)
                    .fence(304, "v1", second, refusedBy)
                    .end(305, "v1", second, End.OK)
                    .settle(306, second, Ending.ACK, false, true);
        }

        @Test
        void laterDeliveryWhenItsTokenIsHigherIsRight() {
            acquits(twice(1001, 1002, null));
        }

        @Test
        void laterDeliveryWhenItsTokenIsLowerIsConvicted() {
            convicts(twice(1001, 1, null), Rule.TOKEN_ORDER, Rule.STALE_SETTLE);
        }

        @Test
        void laterDeliveryWhenItsTokenIsTheSameIsConvicted() {
            convicts(twice(7, 7, null), Rule.TOKEN_ORDER);
        }

        @Test
        void laterDeliveryWhenTheFenceOfAnEarlierOneDropsItsWriteIsConvicted() {
            convicts(twice(1001, 1, 1001L), Rule.TOKEN_ORDER, Rule.FENCED, Rule.STALE_SETTLE);
        }

        @Test
        void laterDeliveryWhenAFailoverForgotATokenIsConvictedUnlessTheClockWasSet() {
            CheckSettings failover = twice(1001, 1, null).settings().withLossWithin(List.of(new Window(0, 400_000)));
            convicts(twice(1001, 1, null).with(failover), Rule.TOKEN_ORDER);
            acquits(twice(1001, 1, null).with(failover.withClockSetWithin(List.of(new Window(0, 1)))));
        }

        @Test
        void formerHolderWhenTheFenceOfTheLaterDeliveryDropsItsWriteIsRight() {
            acquits(handled()
                    .withFaults()
                    .schedule(0, "v1", "CREATED", 100)
                    .acquire(100, 1, 100)
                    .start(104, "v1", 1, 1, 100)
                    .in("b")
                    .acquire(5200, 2, 100)
                    .start(5204, "v1", 2, 2, 100)
                    .fence(5205, "v1", 2, null)
                    .in("a")
                    .fence(5300, "v1", 1, 2L)
                    .end(5301, "v1", 1, End.OK)
                    .settle(5302, 1, Ending.ACK, false, false)
                    .in("b")
                    .end(5400, "v1", 2, End.OK)
                    .settle(5401, 2, Ending.ACK, false, true));
        }
    }

    @Nested
    class StaleSettle {

        private HandMade taken(boolean accepted) {
            return handled()
                    .withFaults()
                    .schedule(0, "v1", "CREATED", 100)
                    .acquire(100, 1, 100)
                    .start(104, "v1", 1, 1, 100)
                    .in("b")
                    .acquire(5200, 2, 100)
                    .start(5204, "v1", 2, 2, 100)
                    .in("a")
                    .end(5300, "v1", 1, End.OK)
                    .settle(5301, 1, Ending.ACK, false, accepted)
                    .in("b")
                    .end(5400, "v1", 2, End.OK)
                    .settle(5401, 2, Ending.ACK, false, !accepted);
        }

        @Test
        void endOfALeaseWhenAnotherHasItIsRefused() {
            acquits(taken(false));
        }

        @Test
        void endOfALeaseWhenAnotherHasItAndItIsAcceptedIsWrong() {
            convicts(taken(true), Rule.STALE_SETTLE);
        }
    }

    @Nested
    class Revived {

        @Test
        void eitherVersionWhenTheStoringOfTheSecondIsUnknownMayBeDelivered() {
            acquits(handled()
                    .schedule(0, "v1", "CREATED", 300)
                    .scheduleUnknown(50, "v2", 200)
                    .deliver(300, "v1", 1, 300));
            acquits(handled()
                    .schedule(0, "v1", "CREATED", 300)
                    .scheduleUnknown(50, "v2", 200)
                    .deliver(200, "v2", 1, 200));
        }
    }

    @Nested
    class DeadAttempts {

        private HandMade failed() {
            return handled()
                    .schedule(0, "v1", "CREATED", 100)
                    .fail(100, "v1", 1, 1, 100)
                    .fail(200, "v1", 2, 2, 100)
                    .fail(300, "v1", 3, 3, 100);
        }

        @Test
        void deadWhenItWasTooLateIsRightWhereTasksMayBe() {
            CheckSettings settings = handled().settings();
            CheckSettings expiring = settings.withTiming(Duration.ofMinutes(1), null);
            acquits(handled().with(expiring).schedule(0, "v1", "CREATED", 100).dead("v1", 0, 0, "expired"));
            convicts(
                    handled().with(settings).schedule(0, "v1", "CREATED", 100).dead("v1", 0, 0, "expired"),
                    Rule.DEAD_ATTEMPTS);
        }

        @Test
        void deliveredWhenTooLateIsUntimely() {
            CheckSettings expiring = handled().settings().withTiming(Duration.ofMillis(3_000), null);
            acquits(handled().with(expiring).schedule(0, "v1", "CREATED", 100).deliver(3_900, "v1", 1, 100));
            convicts(
                    handled().with(expiring).schedule(0, "v1", "CREATED", 100).deliver(4_200, "v1", 1, 100),
                    Rule.UNTIMELY);
        }

        @Test
        void droppedAsTooLateWhenItWasNotIsUntimely() {
            CheckSettings expiring = handled().settings().withTiming(Duration.ofMillis(3_000), null);
            acquits(expired(expiring, 3_200));
            convicts(expired(expiring, 3_000), Rule.UNTIMELY);
        }

        @Test
        void droppedAsTooLateWhenItWasRescheduledGoesByTheTimeItMayHaveHad() {
            CheckSettings expiring = handled().settings().withTiming(Duration.ofMillis(3_000), null);
            HandMade early = handled()
                    .with(expiring)
                    .schedule(0, "v1", "CREATED", 500)
                    .reschedule(10, "RESCHEDULED", 100)
                    .expire(3_200);
            acquits(early.dead("v1", 0, 0, "expired"));
        }

        @Test
        void droppedAsTooLateWhenTheClockWasSetDuringTheCallIsNotJudged() {
            CheckSettings set = handled()
                    .settings()
                    .withTiming(Duration.ofMillis(3_000), null)
                    .withClockSetWithin(List.of(new Window(1_000, 2_000)));
            acquits(expired(set, 1_000));
        }

        private HandMade expired(CheckSettings settings, long at) {
            return handled()
                    .with(settings)
                    .schedule(0, "v1", "CREATED", 100)
                    .expire(at)
                    .dead("v1", 0, 0, "expired");
        }

        @Test
        void deliveredWhenTheHoursAreOverIsUntimely() {
            CheckSettings hours = handled().settings().withTiming(null, "00:00:10-00:00:05 UTC");
            acquits(handled().with(hours).schedule(0, "v1", "CREATED", 100).deliver(5_500, "v1", 1, 100));
            acquits(handled().with(hours).schedule(0, "v1", "CREATED", 100).deliver(10_000, "v1", 1, 100));
            convicts(
                    handled().with(hours).schedule(0, "v1", "CREATED", 100).deliver(6_500, "v1", 1, 100),
                    Rule.UNTIMELY);
        }

        @Test
        void deadWhenItFailedAsOftenAsConfiguredIsRight() {
            HandMade history = failed().dead("v1", 3, 0, "failed");
            acquits(history);
            assertThat(history.verdict().dead()).isOne();
        }

        @Test
        void deadWhenItFailedLessOftenIsWrong() {
            convicts(failed().dead("v1", 2, 0, "failed"), Rule.DEAD_ATTEMPTS);
        }

        @Test
        void deadWhenItWasTriedOnceMoreIsWrong() {
            convicts(failed().fail(400, "v1", 4, 4, 100).dead("v1", 3, 0, "failed"), Rule.DEAD_ATTEMPTS);
        }

        @Test
        void deadWhenAnInterceptorEndedAnAttemptBeforeItsHandlerIsRight() {
            HandMade history = handled()
                    .schedule(0, "v1", "CREATED", 100)
                    .acquire(100, 1, 100)
                    .settle(106, 1, Ending.RETRY, false, true)
                    .fail(200, "v1", 2, 2, 100)
                    .fail(300, "v1", 3, 3, 100);
            acquits(history.dead("v1", 3, 0, "failed"));
        }

        @Test
        void deadWhenOneFailureWasRefusedForTheTaskWasRescheduledMeanwhileIsRight() {
            HandMade history = handled()
                    .schedule(0, "v1", "CREATED", 100)
                    .acquire(100, 1, 100)
                    .start(104, "v1", 1, 1, 100)
                    .reschedule(105, "IN_FLIGHT", 150)
                    .end(108, "v1", 1, End.FAILED)
                    .settle(109, 1, Ending.RETRY, false, false)
                    .fail(200, "v1", 2, 1, 150)
                    .fail(300, "v1", 3, 2, 150)
                    .fail(400, "v1", 4, 3, 150);
            acquits(history.dead("v1", 3, 0, "failed"));
        }

        @Test
        void deadWhenOneFailureCouldNotBeCountedIsRightUnderFaults() {
            acquits(failed().withFaults().fail(400, "v1", 4, 4, 100).dead("v1", 3, 1, "failed"));
        }
    }

    @Nested
    class Uncounted {

        private HandMade unanswered(int... failures) {
            HandMade history = forwarded();
            history.with(history.settings().withFaults().whereTheBrokerStays(100))
                    .schedule(0, "v1", "CREATED", 100);
            for (int i = 0; i < failures.length; i++) {
                history.unanswered(100 + 200 * i, 1 + i, failures[i], 100);
            }
            return history;
        }

        @Test
        void attemptsWhenTheBrokerStaysAndEachCountsAreRight() {
            acquits(unanswered(0, 1, 2).dead("v1", HandMade.MAX_ATTEMPTS, 0, "timed out: no confirm within 2s"));
        }

        @Test
        void attemptsWhenTheBrokerStaysAndOneDoesNotCountAreRight() {
            acquits(unanswered(0, 0, 1).dead("v1", HandMade.MAX_ATTEMPTS, 0, "timed out: no confirm within 2s"));
        }

        @Test
        void attemptsWhenTheBrokerStaysAndTwoDoNotCountAreWrong() {
            convicts(
                    unanswered(0, 0, 1, 1).dead("v1", HandMade.MAX_ATTEMPTS, 0, "timed out: no confirm within 2s"),
                    Rule.UNCOUNTED);
        }

        @Test
        void deadWhenTheBrokerStaysAndAnotherReasonIsNamedIsWrong() {
            convicts(unanswered(0, 1).dead("v1", HandMade.MAX_ATTEMPTS, 0, "the connection was lost"), Rule.UNCOUNTED);
        }

        @Test
        void attemptsWhenTheBrokerMayGoNeedNotCount() {
            acquits(forwarded()
                    .withFaults()
                    .schedule(0, "v1", "CREATED", 100)
                    .unanswered(100, 1, 0, 100)
                    .unanswered(300, 2, 0, 100)
                    .dead("v1", HandMade.MAX_ATTEMPTS, 0, "unroutable"));
        }
    }

    @Nested
    class Blamed {

        private HandMade beside() {
            HandMade history = forwarded();
            return history.with(history.settings().withFaults().whereTheBrokerStays(0))
                    .schedule(0, "v1", "CREATED", 100);
        }

        @Test
        void taskBesideASilentQueueWhenItHasArrivedInTheEndAndWasNotCountedIsRight() {
            acquits(beside().unanswered(100, 1, 0, 100)
                    .acquire(2300, 2, 100, 0, 0)
                    .arrive(2310, "v1", 2, 100, false));
        }

        @Test
        void taskBesideASilentQueueWhenAnAttemptWasCountedIsWrong() {
            convicts(
                    beside().unanswered(100, 1, 0, 100)
                            .acquire(2300, 2, 100, 1, 0)
                            .arrive(2310, "v1", 2, 100, false),
                    Rule.BLAMED);
        }

        @Test
        void taskBesideASilentQueueWhenItIsDeadIsWrong() {
            convicts(
                    beside().unanswered(100, 1, 0, 100)
                            .dead("v1", HandMade.MAX_ATTEMPTS, 0, "timed out: no confirm within 2s"),
                    Rule.BLAMED);
        }

        @Test
        void taskBesideASilentQueueWhenItWasCancelledInFlightAndTheBrokerHeldItsMessageIsRight() {
            HandMade history = beside();
            acquits(history.with(history.settings().withRecovery(Duration.ofSeconds(5)))
                    .fault(50, true)
                    .acquire(100, 1, 100, 0, 0)
                    .cancel(150, "IN_FLIGHT")
                    .settle(2100, 1, Ending.RETRY, true, false)
                    .arrive(42_000, "v1", 1, 100, false)
                    .fault(45_000, false));
        }

        @Test
        void taskBesideASilentQueueWhenItArrivesMuchTooLateIsWrong() {
            HandMade history = beside();
            convicts(
                    history.with(history.settings().withRecovery(Duration.ofSeconds(5)))
                            .acquire(11_000, 1, 100, 0, 0)
                            .arrive(11_010, "v1", 1, 100, false),
                    Rule.BLAMED,
                    Rule.LATE);
        }
    }

    @Nested
    class Late {

        private HandMade after(long delivered) {
            return judged().schedule(0, "v1", "CREATED", 40_000).deliver(delivered, "v1", 1, 40_000);
        }

        @Test
        void deliveryWhenTheFaultIsLongOverAndItIsOnTimeIsRight() {
            acquits(after(40_000));
        }

        @Test
        void deliveryWhenTheFaultIsLongOverAndItIsLateIsWrong() {
            convicts(after(45_000), Rule.LATE);
        }

        @Test
        void deliveryWhenTheProcessThatTookAnothersPlaceHasJustBegunMayBeLate() {
            HandMade history = handled();
            acquits(history.with(history.settings().withRecovery(Duration.ofSeconds(5)))
                    .withFaults()
                    .change(1000, "a", Change.KILLED)
                    .change(1001, "b", Change.STARTED)
                    .in("b")
                    .schedule(35_000, "v1", "CREATED", 40_000)
                    .deliver(45_000, "v1", 1, 40_000));
        }

        @Test
        void deliveryWhenItsShardHadToBeOnTimeInTheFaultAndItWasNotIsWrong() {
            convicts(onTime(Set.of("handled:0")), Rule.LATE);
            convicts(onTime(Set.of()), Rule.LATE);
        }

        @Test
        void deliveryWhenOnlyAnotherShardHadToBeOnTimeHasNothingToShowForIt() {
            convicts(onTime(Set.of("handled:1")), Rule.LATE);
        }

        @Test
        void deliveryWhenItWasAsLateAsItMightBeIsRight() {
            HandMade history = handled();
            acquits(history.with(promise(history, Set.of("handled:0")))
                    .withFaults()
                    .fault(1000, true)
                    .fault(2000, false)
                    .schedule(0, "v1", "CREATED", 1500)
                    .deliver(1600, "v1", 1, 1500));
        }

        private HandMade onTime(Set<String> shards) {
            HandMade history = handled();
            return history.with(promise(history, shards))
                    .withFaults()
                    .fault(1000, true)
                    .fault(2000, false)
                    .schedule(0, "v1", "CREATED", 1500)
                    .deliver(1700, "v1", 1, 1500);
        }

        private static CheckSettings promise(HandMade history, Set<String> shards) {
            return history.settings()
                    .withRecovery(Duration.ofSeconds(5))
                    .withOnTime(List.of(new CheckSettings.OnTime(
                            shards, new Window(1_000_000, 2_000_000), Duration.ofMillis(150))));
        }

        private HandMade judged() {
            HandMade history = handled();
            return history.with(history.settings().withRecovery(Duration.ofSeconds(5)))
                    .withFaults()
                    .fault(1000, true)
                    .fault(2000, false);
        }

        @Test
        void attemptWhenATaskWasDueInTheFaultAndALeaseAndTwoMaxIdleIntervalsHavePassedIsWrong() {
            convicts(judged().schedule(0, "v1", "CREATED", 1500).deliver(17_100, "v1", 1, 1500), Rule.LATE);
        }

        @Test
        void attemptWhenATaskWasDueInTheFaultAndALeaseAndTwoMaxIdleIntervalsHaveNotPassedIsRight() {
            acquits(judged().schedule(0, "v1", "CREATED", 1500).deliver(16_900, "v1", 1, 1500));
        }

        @Test
        void secondAttemptWhenTheLeaseRanOutAndTheFaultIsOverForTooLongIsWrong() {
            convicts(
                    judged().schedule(0, "v1", "CREATED", 1500)
                            .acquire(1500, 1, 1500)
                            .start(1504, "v1", 1, 1, 1500)
                            .deliverAgain(17_100, "v1", 2, 2, 1500),
                    Rule.LATE);
        }

        @Test
        void secondAttemptWhenTheFaultIsLongOverIsLateFromTheEndOfTheLeaseOn() {
            acquits(retriedAfterExpiry(45_100));
            convicts(retriedAfterExpiry(46_100), Rule.LATE);
        }

        /** Returns a history in which the task was first acquired at 40 s by a process that never ended the lease. */
        private HandMade retriedAfterExpiry(long acquired) {
            return judged().schedule(0, "v1", "CREATED", 40_000)
                    .acquire(40_000, 1, 40_000)
                    .start(40_004, "v1", 1, 1, 40_000)
                    .deliverAgain(acquired, "v1", 2, 2, 40_000);
        }

        @Test
        void secondAttemptWhenTheFaultIsLongOverIsLateFromTheEndOfThePauseOn() {
            acquits(retriedAfterFailure(40_300));
            convicts(retriedAfterFailure(41_300), Rule.LATE);
        }

        private HandMade retriedAfterFailure(long acquired) {
            return judged().schedule(0, "v1", "CREATED", 40_000)
                    .fail(40_000, "v1", 1, 1, 40_000)
                    .deliverAgain(acquired, "v1", 2, 2, 40_000);
        }

        @Test
        void attemptWhenTheFaultWasJustOverMustNotBeStuckEither() {
            acquits(judged().schedule(0, "v1", "CREATED", 3000).deliver(17_000, "v1", 1, 3000));
            convicts(judged().schedule(0, "v1", "CREATED", 3000).deliver(25_000, "v1", 1, 3000), Rule.LATE);
        }

        @Test
        void secondAttemptWhenTheFaultWasJustOverMustNotBeStuckEither() {
            convicts(
                    judged().schedule(0, "v1", "CREATED", 3000)
                            .fail(3000, "v1", 1, 1, 3000)
                            .deliverAgain(25_000, "v1", 2, 2, 3000),
                    Rule.LATE);
        }

        @Test
        void leaseWhenNothingWasBegunUnderItIsNoExcuse() {
            convicts(
                    secondLease(judged().schedule(0, "v1", "CREATED", 40_000).acquire(40_000, 1, 40_000), 45_100),
                    Rule.LATE);
        }

        @Test
        void leaseWhenItWasGivenUpAndNothingWasBegunUnderItIsNoExcuse() {
            convicts(
                    secondLease(
                            judged().schedule(0, "v1", "CREATED", 40_000)
                                    .acquire(40_000, 1, 40_000)
                                    .settle(41_000, 1, Ending.RELEASE, false, true),
                            41_100),
                    Rule.LATE);
        }

        @Test
        void leaseWhenNothingWasBegunUnderItBecauseOfTheFaultIsAnExcuse() {
            acquits(judged().schedule(0, "v1", "CREATED", 1500)
                    .acquire(1500, 1, 1500)
                    .deliverAgain(6_600, "v1", 2, 2, 1500));
        }

        @Test
        void attemptWhenTheStoreCountedAnotherOneThatNobodySawIsNotKnownToBeLate() {
            acquits(begun().deliverAgain(52_000, "v1", 3, 3, 40_000));
            convicts(begun().deliverAgain(52_000, "v1", 3, 2, 40_000), Rule.LATE);
        }

        @Test
        void secondAttemptWhenTheLeaseWasPutOffIsLateFromItsEndOn() {
            acquits(secondLease(begun().renew(44_000, 1, true), 49_100));
            convicts(secondLease(begun().renew(44_000, 1, false), 49_100), Rule.LATE);
        }

        @Test
        void secondAttemptWhenTheFirstWasGivenUpIsLateFromThenOn() {
            acquits(secondLease(begun().settle(40_010, 1, Ending.RELEASE, true, true), 40_500));
            convicts(secondLease(begun().settle(40_010, 1, Ending.RELEASE, true, true), 41_500), Rule.LATE);
        }

        @Test
        void secondAttemptWhenItIsNotKnownWhetherTheFirstWasGivenUpIsNotKnownToBeLate() {
            acquits(secondLease(begun().settle(40_010, 1, Ending.RETRY, true, null), 48_000));
            convicts(secondLease(begun().settle(40_010, 1, Ending.RETRY, true, false), 48_000), Rule.LATE);
        }

        private HandMade begun() {
            return judged().schedule(0, "v1", "CREATED", 40_000)
                    .acquire(40_000, 1, 40_000)
                    .start(40_004, "v1", 1, 1, 40_000);
        }

        private HandMade secondLease(HandMade history, long acquired) {
            return history.deliverAgain(acquired, "v1", 2, 2, 40_000);
        }

        @Test
        void figuresWhenThereIsOneDeliveryAreItsOwn() {
            Verdict verdict = handled()
                    .schedule(0, "v1", "CREATED", 100)
                    .deliver(146, "v1", 1, 100)
                    .verdict();
            assertThat(verdict.lateness())
                    .isEqualTo(new Lateness(1, Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(50)));
            assertThat(verdict.line()).startsWith("cell").contains("ok", "scheduled 1", "p99 50 max 50 ms");
        }
    }

    @Nested
    class HeldUp {

        private HandMade judged() {
            HandMade history = handled();
            return history.with(history.settings().withCallsWithin(Duration.ofMillis(2500)));
        }

        @Test
        void callWhenItTakesNoLongerThanItMayIsInTime() {
            acquits(judged().scheduleSlowly(0, 2500, "v1", "CREATED", 3000).deliver(3000, "v1", 1, 3000));
        }

        @Test
        void callWhenItTakesLongerIsHeldUp() {
            HandMade history =
                    judged().scheduleSlowly(0, 2501, "v1", "CREATED", 3000).deliver(3000, "v1", 1, 3000);
            convicts(history, Rule.HELD_UP);
            acquits(handled().scheduleSlowly(0, 2501, "v1", "CREATED", 3000).deliver(3000, "v1", 1, 3000));
        }

        @Test
        void callWhenItIsUnansweredAtTheEndOfItsProcessMayHaveBeenUnderWay() {
            acquits(judged().cancelUnanswered(0)
                    .schedule(1000, "v1", "CREATED", 2000)
                    .deliver(2000, "v1", 1, 2000));
            convicts(
                    judged().cancelUnanswered(0)
                            .schedule(4000, "v1", "CREATED", 5000)
                            .deliver(5000, "v1", 1, 5000),
                    Rule.HELD_UP);
        }
    }
}
