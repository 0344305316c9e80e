// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.rabbit.confirm.BatchAnswers;
import io.delayqueue.internal.rabbit.confirm.ChannelClosing;
import io.delayqueue.internal.rabbit.confirm.ConfirmCounts;
import io.delayqueue.internal.rabbit.confirm.Outgoing;
import io.delayqueue.internal.rabbit.connection.BrokerConnection;
import io.delayqueue.rabbit.RabbitAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Converts the broker's answers to a batch to the outcomes of its tasks.
 *
 * <p>An attempt counts if the broker returned the message, refused its exchange, or answered every other message. It
 * does not count if the broker is down, frozen or blocks its publishers. It also does not count if messages for several
 * addresses on a channel got no answer, because any of these addresses may have delayed the others. The next attempts
 * then use separate channels.
 *
 * <p>A nack means that a queue is full or that the broker failed internally. This is not the fault of the task, so a
 * nack counts only if the queue counts nacks.
 */
final class BrokerVerdicts {

    private final PublishingOptions how;
    private final BrokerConnection broker;
    private final boolean onTrial;
    private final Gates gates;
    private final ConfirmCounts confirms;
    private final FailedAttempts failed;

    /**
     * @param broker the connection for the batches
     * @param onTrial whether the connection carries one message at a time
     */
    BrokerVerdicts(
            PublishingOptions how,
            Publishing publishing,
            BrokerConnection broker,
            boolean onTrial,
            FailedAttempts failed) {
        this.how = how;
        this.broker = broker;
        this.onTrial = onTrial;
        this.gates = publishing.gates();
        this.confirms = publishing.confirms();
        this.failed = failed;
    }

    /**
     * Settles the tasks of a batch after the last answer.
     *
     * @param brokerAnswers whether the broker still answers on the connection, if no confirm came in time
     * @return messages to publish again one at a time, because one of them made the broker close the channel or the
     *     connection; they are not settled yet
     */
    List<Outgoing> apply(PublishedBatch published, BatchAnswers answers, boolean brokerAnswers) {
        List<Outgoing> batch = published.batch();
        boolean again = published.again();
        confirms.add(answers);
        List<Outgoing> silent = new ArrayList<>();
        if (gates.isAny() || (!how.countNacks() && answers.hasNack())) {
            reportToGates(batch, answers, !how.countNacks());
        }
        boolean any = false;
        for (int i = 0; i < batch.size(); i++) {
            Outgoing outgoing = batch.get(i);
            OpenDelivery delivery = outgoing.delivery();
            switch (answers.answer(i)) {
                case ACK -> {
                    delivery.settle(Outcome.delivered());
                    any = true;
                }
                case RETURNED ->
                    failed.fail(
                            outgoing.delivery(),
                            "unroutable: " + outgoing.to() + ": " + answers.returnReason(i),
                            again);
                case NACK -> nacked(outgoing, how.countNacks());
                case NOT_PUBLISHED -> notPublished(delivery, again);
                case NONE -> silent.add(outgoing);
            }
        }
        if (any) {
            broker.works();
        }
        return silent.isEmpty() ? silent : onSilence(silent, answers.end(), brokerAnswers, published);
    }

    private void reportToGates(List<Outgoing> batch, BatchAnswers answers, boolean nackCloses) {
        Map<RabbitAddress, int[]> acksAndNacks = new HashMap<>();
        for (int i = 0; i < batch.size(); i++) {
            int[] counts = acksAndNacks.computeIfAbsent(batch.get(i).to(), address -> new int[2]);
            switch (answers.answer(i)) {
                case ACK, RETURNED -> counts[0]++;
                case NACK -> counts[1]++;
                default -> {}
            }
        }
        acksAndNacks.forEach((address, counts) -> gates.answered(address, counts[0], counts[1], nackCloses));
    }

    /**
     * Settles a task whose message was nacked. Its delivery counts as uncertain, because other queues of the exchange
     * may have accepted the message.
     */
    private void nacked(Outgoing outgoing, boolean counts) {
        String reason = "nacked by the broker: " + outgoing.to();
        if (counts) {
            failed.fail(outgoing.delivery(), reason, true);
        } else {
            outgoing.delivery()
                    .settle(Outcome.postponed(reason)
                            .retryAfter(gates.hold(outgoing.to()))
                            .mayHaveArrived());
        }
    }

    void notPublished(OpenDelivery delivery, boolean again) {
        if (again) {
            delivery.settle(Outcome.postponed("the broker closed the channel and then accepted no more messages")
                    .mayHaveArrived());
        } else {
            delivery.settle(Outcome.released());
        }
    }

    private List<Outgoing> onSilence(
            List<Outgoing> silent, @Nullable Throwable end, boolean brokerAnswers, PublishedBatch published) {
        if (end == null) {
            onTimeout(silent, brokerAnswers, published.start());
            return List.of();
        }
        String fatality = ChannelClosing.fatality(end);
        if (fatality != null && !onTrial) {
            return silent;
        }
        String objection = (fatality != null)
                ? "the broker closed the connection because of it: " + fatality
                : ChannelClosing.objection(end, silent.get(0).to().exchange());
        if (objection == null) {
            String cause = (end instanceof CancellationException) ? "cancelled" : "the connection was lost";
            postpone(silent, cause + " before a confirm arrived: " + end.getMessage());
            return List.of();
        }
        if (silent.size() > 1) {
            return silent;
        }
        failed.fail(silent.get(0).delivery(), objection, published.again() || fatality != null);
        return List.of();
    }

    private void onTimeout(List<Outgoing> silent, boolean brokerAnswers, long start) {
        if (broker.wasBlockedSince(start)) {
            postpone(silent, "the broker blocked its publishers before a confirm arrived");
        } else if (brokerAnswers) {
            String reason = "timed out: no confirm within " + inWords(how.confirmTimeout());
            if (gates.silent(silent)) {
                postpone(silent, reason + " for this address or any other; the next attempts use separate channels");
            } else {
                silent.forEach(outgoing -> failed.fail(outgoing.delivery(), reason, true));
            }
        } else {
            postpone(silent, "the broker sent neither a confirm nor any other answer");
        }
    }

    private static void postpone(List<Outgoing> tasks, String reason) {
        tasks.forEach(
                outgoing -> outgoing.delivery().settle(Outcome.postponed(reason).mayHaveArrived()));
    }

    private static String inWords(Duration duration) {
        long millis = duration.toMillis();
        return (millis % 1000 == 0) ? millis / 1000 + "s" : millis + "ms";
    }
}
