// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the broker said about a batch, or that it said nothing, into the outcomes of its tasks.
 *
 * <p>An attempt counts when the broker answered that it does not want the message, or answers everything else but not
 * this. It does not count when the broker is down, frozen or blocks its publishers, nor where messages of one channel
 * to several addresses have no answer, because one of them may delay the others. Each then goes on a channel of its
 * own, which shows which one is silent.
 */
final class BrokerVerdicts {

    private final Duration confirmTimeout;
    private final BrokerConnection broker;
    private final ConfirmChannels channels;
    private final FailedAttempts failed;
    private final SilentAddresses addresses;

    BrokerVerdicts(
            Duration confirmTimeout,
            BrokerConnection broker,
            ConfirmChannels channels,
            FailedAttempts failed,
            SilentAddresses addresses) {
        this.confirmTimeout = confirmTimeout;
        this.broker = broker;
        this.channels = channels;
        this.failed = failed;
        this.addresses = addresses;
    }

    /**
     * Calls the outcomes of a batch for which no more answers are awaited.
     *
     * @param channel on which the batch was published
     * @param start when its publishing began, in {@link System#nanoTime()}
     * @param again whether it was published before, under the same lease, so that it may have arrived then
     * @return those of which one made the broker close the channel, if there are several; they have no outcome
     */
    List<Outgoing> apply(
            List<Outgoing> batch, BatchAnswers answers, ConfirmChannel channel, long start, boolean again) {
        List<Outgoing> silent = new ArrayList<>();
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
                // one of several queues may have taken what another refused
                case NACK -> failed.fail(outgoing, "nacked by the broker: " + outgoing.address(), true);
                case NOT_PUBLISHED -> notPublished(delivery, again);
                case NONE -> silent.add(outgoing);
            }
        }
        if (any) {
            broker.works();
        }
        return silent.isEmpty() ? silent : onSilence(silent, answers.end(), channel, start, again);
    }

    void notPublished(Delivery delivery, boolean again) {
        if (again) {
            delivery.postpone("the broker closed the channel, and then took no more messages", true);
        } else {
            delivery.release();
        }
    }

    private List<Outgoing> onSilence(
            List<Outgoing> silent, @Nullable Throwable end, ConfirmChannel channel, long start, boolean again) {
        if (end == null) {
            onTimeout(silent, channel, start);
            return List.of();
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

    private void onTimeout(List<Outgoing> silent, ConfirmChannel channel, long start) {
        if (broker.wasBlockedSince(start)) {
            postpone(silent, "the broker blocked its publishers before a confirm came");
        } else if (channels.answersOn(channel)) {
            String reason = "timed out: no confirm within " + inWords(confirmTimeout);
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
