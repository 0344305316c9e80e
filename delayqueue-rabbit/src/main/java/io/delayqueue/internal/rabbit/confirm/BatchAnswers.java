// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the broker had said about each message of one batch when no more was awaited. Immutable: what becomes of the
 * channel afterwards, such as its being closed, says nothing about the messages.
 *
 * @param messages in the order of the batch
 * @param end why no more answers could come; null if the time for them was over, or all had come
 */
public record BatchAnswers(List<Message> messages, @Nullable Throwable end) {

    public BatchAnswers {
        messages = List.copyOf(messages);
    }

    public Answer answer(int index) {
        return messages.get(index).answer();
    }

    /** Whether the broker nacked one. */
    public boolean hasNack() {
        for (Message message : messages) {
            if (message.answer() == Answer.NACK) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the broker acked, nacked or returned the message. */
    public boolean isAnswered(int index) {
        return answer(index) != Answer.NONE && answer(index) != Answer.NOT_PUBLISHED;
    }

    /** Returns whether the broker said nothing of one in time, although the channel is open. */
    public boolean isSilent() {
        return end == null && messages.stream().anyMatch(message -> message.answer() == Answer.NONE);
    }

    /** Why the message came back; null if it did not. */
    public @Nullable String returnReason(int index) {
        return messages.get(index).returnReason();
    }

    /** Where a message stands. */
    public enum Answer {
        NOT_PUBLISHED,
        NONE,
        ACK,
        NACK,
        RETURNED
    }

    /**
     * One of the batch.
     *
     * @param returnReason why it came back; null if it did not
     */
    public record Message(Answer answer, @Nullable String returnReason) {}
}
