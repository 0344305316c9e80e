// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import io.delayqueue.internal.concurrent.Throttle;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.rabbit.confirm.Outgoing;
import io.delayqueue.rabbit.RabbitAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gates of addresses that currently do not accept messages: the broker nacks messages for them, for example because
 * a queue is full, or answers only messages for other addresses. Messages for such an address are published on separate
 * channels, so that they do not affect other messages; the {@link Gate} limits their number. RabbitMQ 3.10, for
 * example, blocks a channel after the first message for a quorum queue without a majority.
 *
 * <p>At most {@value #MOST} addresses have gates. A gate is removed after ten minutes without a message. Thread-safe.
 */
public final class Gates {

    static final int MOST = 256;

    /** Maximum number of concurrent rounds. Each uses a channel. */
    static final int MOST_ROUNDS = 8;

    private static final Logger log = LoggerFactory.getLogger(Gates.class);
    private static final long REMINDER_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Duration longestPause;
    private final LongSupplier nanoTime;
    private final Throttle warnings;
    private final Map<RabbitAddress, Gate> gates = new ConcurrentHashMap<>();
    private volatile boolean any;

    /** @param longestPause maximum pause between two rounds of one address */
    public Gates(Duration longestPause) {
        this(longestPause, System::nanoTime);
    }

    Gates(Duration longestPause, LongSupplier nanoTime) {
        this.longestPause = longestPause;
        this.nanoTime = nanoTime;
        this.warnings = new Throttle(Duration.ofSeconds(30), nanoTime);
    }

    /** Returns whether there is any gate. Costs one volatile read. */
    public boolean isAny() {
        return any;
    }

    /** Removes the tasks for addresses with gates from a batch and returns them by address. */
    public List<List<Outgoing>> takeApart(List<Outgoing> batch) {
        Map<RabbitAddress, List<Outgoing>> apart = new LinkedHashMap<>();
        batch.removeIf(outgoing -> gates.containsKey(outgoing.to())
                && apart.computeIfAbsent(outgoing.to(), address -> new ArrayList<>())
                        .add(outgoing));
        return List.copyOf(apart.values());
    }

    /**
     * Returns how many messages may be sent to an address now. Report the result to {@link #answered}.
     *
     * @param wanted number of messages
     * @param limit maximum time until that report
     */
    public synchronized int admit(RabbitAddress address, int wanted, Duration limit) {
        Gate gate = gates.get(address);
        if (gate == null) {
            return wanted;
        }
        long now = nanoTime.getAsLong();
        gate.used = now;
        if (gate.closedFor(now).isZero() && roundsInProgress(now) >= MOST_ROUNDS) {
            gate.putOff(now);
        }
        return gate.admit(now, wanted, limit);
    }

    private long roundsInProgress(long now) {
        return gates.values().stream().filter(gate -> gate.isProbing(now)).count();
    }

    /**
     * Reports the broker's answers to messages for an address. Both counts are zero if there was no answer.
     *
     * @param closes whether a nack creates a gate for an address that has none
     */
    public synchronized void answered(RabbitAddress address, int acks, int nacks, boolean closes) {
        long now = nanoTime.getAsLong();
        Gate gate = (nacks > 0 && closes) ? gate(address, now) : gates.get(address);
        if (gate == null) {
            return;
        }
        gate.used = now;
        if (gate.answered(now, acks, nacks)) {
            gates.remove(address);
            any = !gates.isEmpty();
            tellOpen(address, gate);
        } else if (nacks > 0) {
            tellClosed(address, gate, now);
        }
    }

    /**
     * Reports that the broker answered none of these messages on a channel, although it answered others.
     *
     * @return {@code true} if the failures do not count, because there are several addresses, any of which may have
     *     delayed the others; {@code false} also if there are too many gates
     */
    public synchronized boolean silent(List<Outgoing> messages) {
        Set<RabbitAddress> addresses = new HashSet<>();
        messages.forEach(message -> addresses.add(message.to()));
        long now = nanoTime.getAsLong();
        boolean remembered = true;
        for (RabbitAddress address : addresses) {
            Gate gate = gate(address, now);
            if (gate == null) {
                remembered = false;
            } else {
                gate.used = now;
                gate.silent(now);
            }
        }
        return remembered && addresses.size() > 1;
    }

    private @Nullable Gate gate(RabbitAddress address, long now) {
        Gate gate = gates.get(address);
        if (gate == null && gates.size() >= MOST) {
            forget(now);
        }
        if (gate == null && gates.size() < MOST) {
            gate = new Gate(now, longestPause);
            gates.put(address, gate);
            any = true;
        }
        return gate;
    }

    private void forget(long now) {
        gates.values().removeIf(gate -> now - gate.used > FORGOTTEN_NANOS);
        any = !gates.isEmpty();
    }

    /** Returns the reason why a task for an address is waiting. */
    public synchronized String reason(RabbitAddress address) {
        Gate gate = gates.get(address);
        boolean silent = gate != null && gate.isSilent();
        return "waits: the broker " + (silent ? "does not confirm" : "nacks") + " messages for " + address;
    }

    /** Returns the delay for a task that may not be sent now or was nacked. */
    public synchronized Duration hold(RabbitAddress address) {
        Gate gate = gates.get(address);
        return (gate == null) ? longestPause : gate.hold(nanoTime.getAsLong());
    }

    /** Returns zero if messages may be sent to an address, otherwise when to check again. */
    public synchronized Duration closedFor(RabbitAddress address) {
        Gate gate = gates.get(address);
        return (gate == null) ? Duration.ZERO : gate.closedFor(nanoTime.getAsLong());
    }

    /** Returns the addresses whose recent messages the broker nacks. */
    public synchronized List<RabbitRefusal> refusals() {
        forget(nanoTime.getAsLong());
        List<RabbitRefusal> refusals = new ArrayList<>();
        gates.forEach((address, gate) -> {
            if (!gate.isSilent()) {
                refusals.add(new RabbitRefusal(address.exchange(), address.routingKey(), gate.since, gate.nacks()));
            }
        });
        return refusals;
    }

    /** Logs a warning when an address closes, and then every ten minutes. If many addresses close, logs one of them. */
    private void tellClosed(RabbitAddress address, Gate gate, long now) {
        if (now - gate.nextWarning < 0 || !warnings.passes()) {
            return;
        }
        gate.nextWarning = now + REMINDER_NANOS;
        gate.warned = true;
        log.warn(
                "RabbitMQ refuses (nacks) messages for {}, for example because a queue is full; {} nacked since {}. "
                        + "Their tasks wait, and no attempts are counted; a few are retried after pauses of up to {}. {} other "
                        + "address(es) do not accept messages either",
                shown(address),
                gate.nacks(),
                gate.since,
                DurationText.of(longestPause),
                gates.size() - 1);
    }

    private static void tellOpen(RabbitAddress address, Gate gate) {
        if (gate.warned) {
            log.info(
                    "RabbitMQ accepts messages for {} again; {} were nacked since {}",
                    shown(address),
                    gate.nacks(),
                    gate.since);
        }
    }

    private static String shown(RabbitAddress address) {
        return "exchange '" + PrintableText.of(address.exchange(), 256) + "', routing key '"
                + PrintableText.of(address.routingKey(), 256) + "'";
    }
}
