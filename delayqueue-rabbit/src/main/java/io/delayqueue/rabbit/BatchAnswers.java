// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the broker had said about each message of one batch when no more was awaited. Immutable: what becomes of the
 * channel afterwards, such as its being closed, says nothing about the messages.
 *
 * @param messages in the order of the batch
 * @param end why no more answers could come; null if the time for them was over, or all had come
 */
record BatchAnswers(List<Message> messages, @Nullable Throwable end) {

    BatchAnswers {
        messages = List.copyOf(messages);
    }

    Answer answer(int index) {
        return messages.get(index).answer();
    }

    /** Whether the broker nacked one. */
    boolean hasNack() {
        for (Message message : messages) {
            if (message.answer() == Answer.NACK) {
                return true;
            }
        }
        return false;
    }

    /** Why the message came back; null if it did not. */
    @Nullable
    String returnReason(int index) {
        return messages.get(index).returnReason();
    }

    /** Where a message stands. */
    enum Answer {
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
    record Message(Answer answer, @Nullable String returnReason) {}
}
