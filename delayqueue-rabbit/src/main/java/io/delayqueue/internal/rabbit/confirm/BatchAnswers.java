// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The broker's answers to the messages of a batch at the end of the wait. Immutable, so later events such as the end of
 * the channel do not change them.
 *
 * @param messages the messages, in the order of the batch
 * @param end reason why no more answers can arrive; null after a time-out or if all answers have arrived
 */
public record BatchAnswers(List<Message> messages, @Nullable Throwable end) {

    public BatchAnswers {
        messages = List.copyOf(messages);
    }

    public Answer answer(int index) {
        return messages.get(index).answer();
    }

    /** Returns whether the broker nacked any message. */
    public boolean hasNack() {
        return messages.stream().anyMatch(message -> message.answer() == Answer.NACK);
    }

    /** Returns whether the broker acked, nacked or returned the message. */
    public boolean isAnswered(int index) {
        return answer(index) != Answer.NONE && answer(index) != Answer.NOT_PUBLISHED;
    }

    /** Returns whether a message got no answer in time while the channel was open. */
    public boolean isSilent() {
        return end == null && messages.stream().anyMatch(message -> message.answer() == Answer.NONE);
    }

    /** Returns the reason why the broker returned the message; null if it did not. */
    public @Nullable String returnReason(int index) {
        return messages.get(index).returnReason();
    }

    /** The broker's answer to a message. */
    public enum Answer {
        NOT_PUBLISHED,
        NONE,
        ACK,
        NACK,
        RETURNED
    }

    /**
     * A message of the batch.
     *
     * @param returnReason reason why it was returned; null if it was not
     */
    public record Message(Answer answer, @Nullable String returnReason) {}
}
