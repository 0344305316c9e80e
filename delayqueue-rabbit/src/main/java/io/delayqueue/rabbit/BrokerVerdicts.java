// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the broker said about a batch, or that it said nothing, into the outcomes of its tasks.
 *
 * <p>An attempt counts when the broker returned the message or refused its exchange, or answers everything else but not
 * this. It does not count when the broker is down, frozen or blocks its publishers, nor where messages of one channel
 * to several addresses have no answer, because one of them may delay the others. Each then goes on a channel of its
 * own, which shows which one is silent.
 *
 * <p>A nack says that a queue is full, or that something went wrong within the broker; it does not say which. Neither
 * is the task's fault, so it does not count either, unless the queue is told to count it.
 */
final class BrokerVerdicts {

    private final PublishingOptions how;
    private final BrokerConnection broker;
    private final SilentAddresses addresses;
    private final RefusingAddresses refusing;
    private final ConfirmCounts confirms;
    private final FailedAttempts failed;

    BrokerVerdicts(PublishingOptions how, PublisherConnection connection, FailedAttempts failed) {
        this.how = how;
        this.broker = connection.broker();
        this.addresses = connection.silent();
        this.refusing = connection.refusing();
        this.confirms = connection.confirms();
        this.failed = failed;
    }

    /**
     * Calls the outcomes of a batch for which no more answers are awaited.
     *
     * @param brokerAnswers whether the broker answers anything on the connection; asked where no confirm came in time
     * @param start when its publishing began, in {@link System#nanoTime()}
     * @param again whether it was published before, under the same lease, so that it may have arrived then
     * @return those of which one made the broker close the channel, if there are several, or the connection, over
     *     which others went; they have no outcome
     */
    List<Outgoing> apply(
            List<Outgoing> batch, BatchAnswers answers, BooleanSupplier brokerAnswers, long start, boolean again) {
        confirms.add(answers);
        List<Outgoing> silent = new ArrayList<>();
        boolean countNacks = how.countNacks() || broker.nacksWhatIsUnroutable();
        if (!countNacks && (refusing.isAny() || answers.hasNack())) {
            noteRefusals(batch, answers);
        }
        boolean any = false;
        for (int i = 0; i < batch.size(); i++) {
            Outgoing outgoing = batch.get(i);
            Delivery delivery = outgoing.delivery();
            switch (answers.answer(i)) {
                case ACK -> {
                    addresses.noteAnswer(outgoing);
                    delivery.acknowledge();
                    any = true;
                }
                case RETURNED -> {
                    addresses.noteAnswer(outgoing);
                    failed.fail(outgoing, "unroutable: " + outgoing.address() + ": " + answers.returnReason(i), again);
                }
                case NACK -> nacked(outgoing, countNacks);
                case NOT_PUBLISHED -> notPublished(delivery, again);
                case NONE -> silent.add(outgoing);
            }
        }
        if (any) {
            broker.works();
        }
        return silent.isEmpty() ? silent : onSilence(silent, answers.end(), brokerAnswers, start, again);
    }

    private void noteRefusals(List<Outgoing> batch, BatchAnswers answers) {
        Map<OutgoingMapper.Address, int[]> acksAndNacks = new HashMap<>();
        for (int i = 0; i < batch.size(); i++) {
            int[] counts = acksAndNacks.computeIfAbsent(batch.get(i).to(), address -> new int[2]);
            switch (answers.answer(i)) {
                case ACK, RETURNED -> counts[0]++;
                case NACK -> counts[1]++;
                default -> {}
            }
        }
        acksAndNacks.forEach((address, counts) -> refusing.answered(address, counts[0], counts[1]));
    }

    /** One of several queues may have taken what another refused. */
    private void nacked(Outgoing outgoing, boolean counts) {
        String reason = "nacked by the broker: " + outgoing.address();
        if (counts) {
            failed.fail(outgoing, reason, true);
        } else {
            outgoing.delivery().postpone(reason, refusing.hold(outgoing.to(), true), true);
        }
    }

    void notPublished(Delivery delivery, boolean again) {
        if (again) {
            delivery.postpone("the broker closed the channel, and then took no more messages", true);
        } else {
            delivery.release();
        }
    }

    private List<Outgoing> onSilence(
            List<Outgoing> silent, @Nullable Throwable end, BooleanSupplier brokerAnswers, long start, boolean again) {
        if (end == null) {
            onTimeout(silent, brokerAnswers, start);
            return List.of();
        }
        if (ChannelClosing.fatality(end) != null) {
            return silent;
        }
        String objection = ChannelClosing.objection(end, silent.get(0).exchange());
        if (objection == null) {
            String cause = (end instanceof CancellationException) ? "given up" : "the connection was lost";
            postpone(silent, cause + " before a confirm came: " + end.getMessage());
            return List.of();
        }
        if (silent.size() > 1) {
            return silent;
        }
        failed.fail(silent.get(0), objection, again);
        return List.of();
    }

    private void onTimeout(List<Outgoing> silent, BooleanSupplier brokerAnswers, long start) {
        if (broker.wasBlockedSince(start)) {
            postpone(silent, "the broker blocked its publishers before a confirm came");
        } else if (brokerAnswers.getAsBoolean()) {
            String reason = "timed out: no confirm within " + inWords(how.confirmTimeout());
            if (addresses.noteSilence(silent)) {
                postpone(silent, reason + ", nor for other addresses; each is tried apart");
            } else {
                silent.forEach(outgoing -> failed.fail(outgoing, reason, true));
            }
        } else {
            postpone(silent, "the broker answered neither with a confirm nor anything else");
        }
    }

    private static void postpone(List<Outgoing> tasks, String reason) {
        tasks.forEach(outgoing -> outgoing.delivery().postpone(reason, true));
    }

    private static String inWords(Duration duration) {
        long millis = duration.toMillis();
        return (millis % 1000 == 0) ? millis / 1000 + "s" : millis + "ms";
    }
}
