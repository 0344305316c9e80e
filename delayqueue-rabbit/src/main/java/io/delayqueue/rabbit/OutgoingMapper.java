// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.input.UnicodeText;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a message of a task. */
final class OutgoingMapper {

    private static final Logger log = LoggerFactory.getLogger(OutgoingMapper.class);
    private static final int SHORT_STRING = 255;

    private final Function<Delivery, Address> addresses;
    private final MessageMaker messages;
    private final @Nullable Address onlyAddress;

    /** @param addresses may throw, {@link NoRouteException} to say why, and fails the task that it was asked for */
    OutgoingMapper(Function<Delivery, Address> addresses) {
        this(addresses, MessageMaker.PLAIN, null);
    }

    /** @param onlyAddress where all tasks go, if that is known */
    OutgoingMapper(Function<Delivery, Address> addresses, MessageMaker messages, @Nullable Address onlyAddress) {
        this.addresses = addresses;
        this.messages = messages;
        this.onlyAddress = onlyAddress;
    }

    /** Where all tasks go; null if each may go elsewhere. */
    @Nullable
    Address onlyAddress() {
        return onlyAddress;
    }

    /**
     * Returns null if no message can be made of the task; its outcome is then called. What is wrong with one task, or
     * with what the application says of it, is that task's failure alone: nothing of it was sent.
     */
    @Nullable
    Outgoing map(Delivery delivery, FailedAttempts failed) {
        try {
            return messageOf(delivery);
        } catch (NoRouteException ex) {
            log.debug("{}: no route", delivery, ex);
            failed.fail(delivery, "no route: " + ex.getMessage(), false);
        } catch (NoMessageException ex) {
            log.debug("{}: no message", delivery, ex);
            failed.fail(delivery, "no message could be made of it: " + ex.getMessage(), false);
        } catch (Throwable ex) { // also a checked one that code without checked exceptions let through
            log.debug("{}: no message", delivery, ex);
            failed.fail(
                    delivery, "no message could be made of it: " + ex.getClass().getName(), false);
        }
        return null;
    }

    private @Nullable Outgoing messageOf(Delivery delivery) {
        if (!UnicodeText.isValid(delivery.id())) {
            // the driver would write question marks into it, and a message that is returned is known by its id
            delivery.reject("its id holds bytes that are not UTF-8, which no message carries unchanged");
            return null;
        }
        Address address = addresses.apply(delivery);
        if (!fits(delivery, "exchange", address.exchange())
                || !fits(delivery, "routing key", address.routingKey())
                || !fits(delivery, "content type", delivery.content().contentType())) {
            return null;
        }
        return new Outgoing(delivery, address.exchange(), address.routingKey(), messages.of(delivery));
    }

    private static boolean fits(Delivery delivery, String what, String value) {
        if (isShortString(value)) {
            return true;
        }
        delivery.reject("its " + what + " is longer than the " + SHORT_STRING + " bytes that AMQP allows");
        return false;
    }

    /** Whether AMQP can write it as a property or a name. */
    static boolean isShortString(String value) {
        return value.length() * 3 <= SHORT_STRING || value.getBytes(StandardCharsets.UTF_8).length <= SHORT_STRING;
    }

    /**
     * Where a message goes.
     *
     * @param exchange empty for the default exchange
     * @param routingKey may be empty
     */
    record Address(String exchange, String routingKey) {}
}
