// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.input.PrintableText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses whose messages the broker nacks, until it takes them again. What goes to them goes apart, in rounds that
 * {@link Refusal} admits, so that a full queue costs little and its neighbours nothing.
 *
 * <p>At most {@value #MOST} are known; those that nothing went to for ten minutes are forgotten. Safe for use by many
 * threads.
 */
final class RefusingAddresses {

    static final int MOST = 256;

    /** Rounds that are under way at a time, each of which takes a channel. */
    static final int MOST_ROUNDS = 8;

    private static final Logger log = LoggerFactory.getLogger(RefusingAddresses.class);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long REMINDER_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final int MOST_WARNINGS = 10;
    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Duration longestPause;
    private final LongSupplier nanoTime;
    private final Map<OutgoingMapper.Address, Known> refusing = new ConcurrentHashMap<>();
    private final Map<OutgoingMapper.Address, Long> lastWarned = new LinkedHashMap<>();
    private final LongAdder nacks = new LongAdder();
    private volatile boolean any;
    private long warningsSince;
    private int warnings;

    /** @param longestPause between two tries of one address */
    RefusingAddresses(Duration longestPause) {
        this(longestPause, System::nanoTime);
    }

    /** @param nanoTime as {@link System#nanoTime()} */
    RefusingAddresses(Duration longestPause, LongSupplier nanoTime) {
        this.longestPause = longestPause;
        this.nanoTime = nanoTime;
        this.warningsSince = nanoTime.getAsLong();
    }

    /** Whether there is one; costs a volatile read. */
    boolean isAny() {
        return any;
    }

    /** Removes the tasks for refusing addresses from a batch and returns them by address. */
    List<List<Outgoing>> takeApart(List<Outgoing> batch) {
        Map<OutgoingMapper.Address, List<Outgoing>> apart = new LinkedHashMap<>();
        batch.removeIf(outgoing -> {
            OutgoingMapper.Address to = outgoing.to();
            return refusing.containsKey(to)
                    && apart.computeIfAbsent(to, address -> new ArrayList<>()).add(outgoing);
        });
        return List.copyOf(apart.values());
    }

    /**
     * How many messages may go to this address now. What becomes of them is to be told by {@link #answered}.
     *
     * @param wanted how many there are
     * @param limit after which others may go, if nothing is told
     */
    synchronized int admit(OutgoingMapper.Address address, int wanted, Duration limit) {
        Known known = refusing.get(address);
        if (known == null) {
            return wanted;
        }
        long now = nanoTime.getAsLong();
        known.used = now;
        if (known.refusal.closedFor(now).isZero() && roundsUnderWay(now) >= MOST_ROUNDS) {
            known.refusal.putOff(now);
        }
        return known.refusal.admit(now, wanted, limit);
    }

    private long roundsUnderWay(long now) {
        return refusing.values().stream()
                .filter(known -> known.refusal.isUnderWay(now))
                .count();
    }

    /** The broker has answered so many messages for the address; both are zero where it said nothing of them. */
    synchronized void answered(OutgoingMapper.Address address, int acked, int nacked) {
        nacks.add(nacked);
        long now = nanoTime.getAsLong();
        Known known = refusing.get(address);
        if (known == null && nacked > 0) {
            known = remember(address, now);
        }
        if (known == null) {
            return;
        }
        known.nacks += nacked;
        known.used = now;
        if (known.refusal.answered(now, acked, nacked)) {
            refusing.remove(address);
            any = !refusing.isEmpty();
            tellEnd(address, known);
        } else if (nacked > 0) {
            tellStart(address, known, now);
        }
    }

    private @Nullable Known remember(OutgoingMapper.Address address, long now) {
        if (refusing.size() >= MOST) {
            forget(now);
        }
        if (refusing.size() >= MOST) {
            return null;
        }
        Long warned = lastWarned.get(address);
        boolean quiet = warned != null && now - warned < QUIET_NANOS;
        Known known = new Known(new Refusal(now, longestPause), quiet ? now + QUIET_NANOS : now, now);
        refusing.put(address, known);
        any = true;
        return known;
    }

    private void forget(long now) {
        refusing.values().removeIf(known -> now - known.used > FORGOTTEN_NANOS);
        any = !refusing.isEmpty();
    }

    /** When a task for this address is due again that did not go, or was nacked. */
    synchronized Duration hold(OutgoingMapper.Address address, boolean nacked) {
        Known known = refusing.get(address);
        if (known == null) {
            return longestPause;
        }
        known.held += nacked ? 0 : 1;
        return known.refusal.hold(nanoTime.getAsLong());
    }

    /** Zero if something may go to this address, else when to ask again. */
    synchronized Duration closedFor(OutgoingMapper.Address address) {
        Known known = refusing.get(address);
        return (known == null) ? Duration.ZERO : known.refusal.closedFor(nanoTime.getAsLong());
    }

    /** Those that refuse now, as far as something went to them of late. */
    synchronized List<RabbitRefusal> all() {
        forget(nanoTime.getAsLong());
        List<RabbitRefusal> all = new ArrayList<>();
        refusing.forEach((address, known) -> all.add(
                new RabbitRefusal(address.exchange(), address.routingKey(), known.since, known.nacks, known.held)));
        return all;
    }

    /** All nacks that were told. */
    long nacks() {
        return nacks.sum();
    }

    /**
     * Once at the start and every ten minutes; an address that comes and goes is told of every half a minute, and of
     * many addresses ten in that time.
     */
    private void tellStart(OutgoingMapper.Address address, Known known, long now) {
        if (now - known.nextWarning < 0) {
            return;
        }
        if (now - warningsSince >= QUIET_NANOS) {
            warningsSince = now;
            warnings = 0;
        }
        if (warnings++ >= MOST_WARNINGS) {
            known.nextWarning = now + QUIET_NANOS;
            return;
        }
        known.nextWarning = now + REMINDER_NANOS;
        known.warned = true;
        if (lastWarned.size() >= MOST) {
            lastWarned.clear();
        }
        lastWarned.put(address, now);
        log.warn(
                "RabbitMQ refuses (nacks) what goes to {}, as where a queue is full; the tasks wait, no attempt is"
                        + " counted, and a few are tried again after pauses of up to {}; {} refused since {}",
                shown(address),
                DurationText.of(longestPause),
                known.nacks,
                known.since);
    }

    private void tellEnd(OutgoingMapper.Address address, Known known) {
        if (known.warned) {
            log.info(
                    "RabbitMQ takes what goes to {} again; {} refused since {}, tasks were put off {} times",
                    shown(address),
                    known.nacks,
                    known.since,
                    known.held);
        }
    }

    private static String shown(OutgoingMapper.Address address) {
        return "exchange '" + PrintableText.of(address.exchange(), 256) + "', routing key '"
                + PrintableText.of(address.routingKey(), 256) + "'";
    }

    private static final class Known {

        private final Refusal refusal;
        private final Instant since = Instant.now();
        private long nextWarning;
        private long used;
        private boolean warned;
        private long nacks;
        private long held;

        Known(Refusal refusal, long nextWarning, long used) {
            this.refusal = refusal;
            this.nextWarning = nextWarning;
            this.used = used;
        }
    }
}
