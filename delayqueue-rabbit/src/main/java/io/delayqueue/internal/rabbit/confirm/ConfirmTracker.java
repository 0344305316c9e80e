// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import com.rabbitmq.client.AMQP;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.rabbit.confirm.BatchAnswers.Answer;
import io.delayqueue.rabbit.RabbitAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Collects the broker's answers to the messages of a batch. A single thread publishes the messages, and the
 * connection's reader thread receives the answers. The broker returns an unroutable message before it confirms it.
 */
public final class ConfirmTracker {

    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final List<Outgoing> batch;
    private final long firstTag;
    private final @Nullable Answer[] answers;
    private final @Nullable String[] returns;
    private int published;
    private int answered;
    private int lowestOpen;
    private boolean sealed;
    private boolean channelReusable;
    private @Nullable Throwable end;

    /** @param firstTag delivery tag of the first message */
    public ConfirmTracker(List<Outgoing> batch, long firstTag) {
        this.batch = batch;
        this.firstTag = firstTag;
        this.answers = new Answer[batch.size()];
        this.returns = new String[batch.size()];
    }

    /** Reports that this message is about to be published, and that the previous one has been published. */
    synchronized void publishing(int index) {
        published = index + 1;
    }

    /** Reports that neither this message nor any later one was published. */
    synchronized void notPublished(int index) {
        published = index;
    }

    /**
     * Reports that nothing more will be published.
     *
     * @param reusable whether the channel may be used again if all answers arrive
     */
    public void sealed(boolean reusable) {
        completeIf(seal(reusable));
    }

    private synchronized boolean seal(boolean reusable) {
        sealed = true;
        channelReusable = reusable;
        return isDone();
    }

    void confirmed(long tag, boolean multiple, boolean ack) {
        completeIf(answer(tag - firstTag, multiple, ack));
    }

    /** Reports unroutable messages that the broker nacked. */
    void unroutable(long tag, boolean multiple) {
        long last = tag - firstTag;
        synchronized (this) {
            if (last < batch.size()) {
                for (int i = multiple ? lowestOpen : (int) Math.max(0, last); i <= last; i++) {
                    returns[i] = "no queue is bound";
                }
            }
        }
        confirmed(tag, multiple, false);
    }

    private synchronized boolean answer(long index, boolean multiple, boolean ack) {
        if (index < 0 || index >= batch.size()) {
            return false; // The answer is for another batch.
        }
        for (int i = multiple ? lowestOpen : (int) index; i <= index; i++) {
            if (answers[i] == null) {
                answers[i] = (returns[i] != null) ? Answer.RETURNED : ack ? Answer.ACK : Answer.NACK;
                answered++;
            }
        }
        while (lowestOpen < answers.length && answers[lowestOpen] != null) {
            lowestOpen++;
        }
        return isDone();
    }

    private boolean isDone() {
        return sealed && answered >= published;
    }

    /**
     * Completes the future if the batch is done. Call this outside the monitor, because dependent stages run in this
     * call.
     */
    private void completeIf(boolean done) {
        if (done) {
            over.complete(null);
        }
    }

    /**
     * Reports a returned message that names its task. Id and token distinguish messages of this batch from late
     * messages of other batches.
     *
     * @return {@code false} if no task of the batch has this id and token
     */
    synchronized boolean returned(@Nullable String id, @Nullable Object token, String reason) {
        for (int i = lowestOpen; i < batch.size(); i++) {
            Delivery delivery = batch.get(i).delivery();
            if (delivery.id().equals(id) && token instanceof Long value && delivery.fencingToken() == value) {
                returns[i] = reason;
                return true;
            }
        }
        return false;
    }

    /**
     * Reports a returned message that does not name its task. Any of several equal messages may be marked. If there is
     * no equal one, marks the one with most headers in common, because a broker may have added headers.
     */
    synchronized void returned(RabbitAddress address, AMQP.BasicProperties properties, byte[] body, String reason) {
        int found = -1;
        int most = -2;
        for (int i = lowestOpen; i < batch.size(); i++) {
            Outgoing message = batch.get(i);
            if (returns[i] == null && message.isLike(address, properties, body)) {
                int headers = message.headersIn(properties);
                found = headers > most ? i : found;
                most = Math.max(most, headers);
            }
        }
        if (found >= 0) {
            returns[found] = reason;
        }
    }

    /** Reports that no more answers will arrive. The first cause counts. */
    public void end(Throwable cause) {
        synchronized (this) {
            end = (end == null) ? cause : end;
        }
        over.complete(null);
    }

    /** Returns the reason why no more answers can arrive; null if they can. */
    public synchronized @Nullable Throwable end() {
        return end;
    }

    /**
     * Returns a future that completes when the batch is {@linkplain #sealed sealed} and every published message has an
     * answer, or when no more answers can arrive. Dependent stages without an executor run on the connection's reader
     * thread.
     */
    public CompletableFuture<Void> over() {
        return over;
    }

    /** Waits until the batch is over or the time has passed. */
    public void await(Duration timeout) throws InterruptedException {
        try {
            over.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException ex) {
            // The result shows which messages have no answer.
        } catch (ExecutionException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /**
     * Returns whether the channel can be reused: it is open, all published messages have answers, and no answer was a
     * nack. If a channel was used while a quorum queue elected its leader, the broker nacks all further messages on the
     * channel, even after the election.
     */
    public synchronized boolean leavesChannelReusable() {
        return channelReusable
                && answered >= published
                && Arrays.stream(answers).noneMatch(answer -> answer == Answer.NACK);
    }

    /** Returns a snapshot of the answers. */
    public synchronized BatchAnswers answers() {
        List<BatchAnswers.Message> messages = new ArrayList<>(answers.length);
        for (int i = 0; i < answers.length; i++) {
            messages.add(new BatchAnswers.Message(answer(i), returns[i]));
        }
        return new BatchAnswers(messages, end);
    }

    private Answer answer(int index) {
        Answer answer = answers[index];
        return (answer != null) ? answer : (index < published) ? Answer.NONE : Answer.NOT_PUBLISHED;
    }
}
