// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import io.delayqueue.internal.rabbit.confirm.BatchAnswers.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the broker has said about each message of one batch. Published by one thread, answered on the connection's
 * reading thread, where nothing else is done. The broker returns a message before it confirms it.
 */
public final class ConfirmTracker {

    private final ReentrantLock lock = new ReentrantLock();
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

    /** @param firstTag delivery tag that the first message will have */
    public ConfirmTracker(List<Outgoing> batch, long firstTag) {
        this.batch = batch;
        this.firstTag = firstTag;
        this.answers = new Answer[batch.size()];
        this.returns = new String[batch.size()];
    }

    /** The message is about to be published; the one before it has been. */
    void publishing(int index) {
        lock.lock();
        try {
            published = index + 1;
        } finally {
            lock.unlock();
        }
    }

    /** The message was not published after all, and none will be after it. */
    void notPublished(int index) {
        lock.lock();
        try {
            published = index;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Nothing more will be published.
     *
     * @param reusable whether the channel may be used again, if all answers come
     */
    public void sealed(boolean reusable) {
        boolean done;
        lock.lock();
        try {
            sealed = true;
            channelReusable = reusable;
            done = isDone();
        } finally {
            lock.unlock();
        }
        if (done) {
            over.complete(null);
        }
    }

    void confirmed(long tag, boolean multiple, boolean ack) {
        boolean done;
        lock.lock();
        try {
            long index = tag - firstTag;
            if (index < 0 || index >= batch.size()) {
                return;
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
            done = isDone();
        } finally {
            lock.unlock();
        }
        if (done) {
            over.complete(null);
        }
    }

    /** Ids and tokens tell messages of this batch from late ones of others. */
    void returned(@Nullable String id, @Nullable Object token, String reason) {
        lock.lock();
        try {
            for (int i = lowestOpen; i < batch.size(); i++) {
                Outgoing outgoing = batch.get(i);
                if (outgoing.delivery().id().equals(id)
                        && token instanceof Long value
                        && outgoing.delivery().token() == value) {
                    returns[i] = reason;
                    return;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** No more answers will come; the first cause counts. */
    public void end(Throwable cause) {
        lock.lock();
        try {
            end = (end == null) ? cause : end;
        } finally {
            lock.unlock();
        }
        over.complete(null);
    }

    private boolean isDone() {
        return sealed && answered >= published;
    }

    /** Why there will be no more answers; null if there may be. */
    public @Nullable Throwable end() {
        lock.lock();
        try {
            return end;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Completes when all that was published is answered, which is not before {@link #sealed(boolean)}, or no more
     * answers can come. Dependents without an executor run on the connection's reading thread.
     */
    public CompletableFuture<Void> over() {
        return over;
    }

    /** Waits until it is over or the time has passed. */
    public void await(Duration timeout) throws InterruptedException {
        try {
            over.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException ex) {
            // those without an answer keep none
        } catch (ExecutionException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /**
     * Whether the channel was left in order, everything published has its answer, and none was a nack. While a quorum
     * queue elects its leader the broker binds a channel to the one it knew, and nacks all that comes on that channel
     * even when there is a new leader.
     */
    public boolean leavesChannelReusable() {
        lock.lock();
        try {
            return channelReusable
                    && answered >= published
                    && Arrays.stream(answers).noneMatch(answer -> answer == Answer.NACK);
        } finally {
            lock.unlock();
        }
    }

    /** What has been said until now, all of it at one moment. */
    public BatchAnswers answers() {
        lock.lock();
        try {
            List<BatchAnswers.Message> messages = new ArrayList<>(answers.length);
            for (int i = 0; i < answers.length; i++) {
                messages.add(new BatchAnswers.Message(answer(i), returns[i]));
            }
            return new BatchAnswers(messages, end);
        } finally {
            lock.unlock();
        }
    }

    private Answer answer(int index) {
        Answer answer = answers[index];
        return (answer != null) ? answer : (index < published) ? Answer.NONE : Answer.NOT_PUBLISHED;
    }
}
