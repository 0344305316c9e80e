// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.trigger;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.input.UnicodeText;
import io.delayqueue.internal.rabbit.confirm.Outgoing;
import io.delayqueue.internal.rabbit.intake.StoredMessage;
import io.delayqueue.internal.rabbit.isolation.FailedAttempts;
import io.delayqueue.rabbit.RabbitAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates messages from tasks. */
public final class OutgoingMapper {

    private static final Logger log = LoggerFactory.getLogger(OutgoingMapper.class);
    private static final int SHORT_STRING = 255;

    private final Function<Delivery, RabbitAddress> addresses;
    private final MessageMaker messages;
    private final @Nullable RabbitAddress onlyAddress;

    /**
     * @param addresses returns the address of a delivery; may throw {@link NoMessageException} with the reason of the
     *     failed attempt
     */
    public OutgoingMapper(Function<Delivery, RabbitAddress> addresses) {
        this(addresses, MessageMaker.PLAIN, null);
    }

    /** @param onlyAddress the address of all tasks, if they have the same one */
    public OutgoingMapper(
            Function<Delivery, RabbitAddress> addresses, MessageMaker messages, @Nullable RabbitAddress onlyAddress) {
        this.addresses = addresses;
        this.messages = messages;
        this.onlyAddress = onlyAddress;
    }

    /** Returns the address of all tasks; {@code null} if they may have different addresses. */
    @Nullable
    RabbitAddress onlyAddress() {
        return onlyAddress;
    }

    /**
     * Creates a task's message. If that fails, only this task's attempt fails.
     *
     * @return the message; null after a failure
     */
    @Nullable
    Outgoing map(OpenDelivery delivery, FailedAttempts failed) {
        try {
            return messageOf(delivery);
        } catch (NoMessageException ex) {
            log.debug("{}: no message", delivery, ex);
            failed.fail(delivery, String.valueOf(ex.getMessage()), false);
        } catch (Throwable ex) { // Includes checked exceptions from code that bypasses the compiler.
            log.debug("{}: no message", delivery, ex);
            failed.fail(
                    delivery, "no message could be created: " + ex.getClass().getName(), false);
        }
        return null;
    }

    private @Nullable Outgoing messageOf(OpenDelivery delivery) {
        StoredMessage stored;
        try {
            stored = messages.storedIn(delivery);
        } catch (IllegalArgumentException ex) {
            delivery.settle(Outcome.dead(String.valueOf(ex.getMessage())));
            return null;
        }
        if (stored != null) {
            return new Outgoing(delivery, stored.to(), messages.of(delivery, stored));
        }
        String objection = messages.objectionTo(delivery);
        if (objection != null) {
            delivery.settle(Outcome.dead(objection));
            return null;
        }
        if (!UnicodeText.isValid(delivery.id())) {
            // The driver would replace these bytes with question marks, but returned messages are identified by their
            // id.
            delivery.settle(
                    Outcome.dead("its id contains bytes that are not UTF-8, which a message cannot carry unchanged"));
            return null;
        }
        RabbitAddress address = addresses.apply(delivery);
        if (!fits(delivery, "exchange", address.exchange())
                || !fits(delivery, "routing key", address.routingKey())
                || !fits(delivery, "content type", delivery.content().contentType())) {
            return null;
        }
        return new Outgoing(delivery, address, messages.of(delivery));
    }

    private static boolean fits(OpenDelivery delivery, String what, String value) {
        if (isShortString(value)) {
            return true;
        }
        delivery.settle(
                Outcome.dead("its " + what + " is longer than the " + SHORT_STRING + " bytes that AMQP allows"));
        return false;
    }

    /** Returns whether AMQP can encode the text as a property or a name. */
    public static boolean isShortString(String value) {
        return value.length() * 3 <= SHORT_STRING || value.getBytes(StandardCharsets.UTF_8).length <= SHORT_STRING;
    }
}
