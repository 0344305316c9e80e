// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The addresses of which the broker said nothing in time although it answered otherwise, until it takes a message for
 * them. What goes to them goes on channels of its own: RabbitMQ 3.10 holds back all of a channel behind its first
 * message for a quorum queue without its majority. An address may be here for the sake of another one; alone on its
 * channel it shows.
 *
 * <p>At most {@value #MOST} are known; those that nothing went to for ten minutes make room. Safe for use by many
 * threads.
 */
final class SilentAddresses {

    static final int MOST = 256;
    private static final int MOST_UNDER_WAY = 8;
    private static final long FORGOTTEN_NANOS = Duration.ofMinutes(10).toNanos();

    private final Map<OutgoingMapper.Address, Long> silent = new ConcurrentHashMap<>();
    private final Set<OutgoingMapper.Address> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean any;

    /** Whether there is one; costs a volatile read. */
    boolean isAny() {
        return any;
    }

    /** Removes the tasks for silent addresses from a batch and returns them by address. */
    List<List<Outgoing>> takeApart(List<Outgoing> batch) {
        Map<OutgoingMapper.Address, List<Outgoing>> apart = new LinkedHashMap<>();
        batch.removeIf(outgoing -> {
            OutgoingMapper.Address to = outgoing.to();
            return silent.containsKey(to)
                    && apart.computeIfAbsent(to, address -> new ArrayList<>()).add(outgoing);
        });
        return List.copyOf(apart.values());
    }

    /**
     * Whether a batch may go to this address now, because its channel may be delayed for as long as the queue is
     * silent: one for each address, and few in all. Then {@link #end} is to be called when its answers are there or
     * their time is over.
     */
    boolean begin(OutgoingMapper.Address address) {
        return underWay.size() < MOST_UNDER_WAY && underWay.add(address);
    }

    void end(OutgoingMapper.Address address) {
        underWay.remove(address);
    }

    /**
     * The broker said nothing of these messages of one channel, though it answers.
     *
     * @return whether one of several addresses may have delayed the others, so that nothing is known about any until
     *     each has gone apart; false also where no more addresses can be remembered
     */
    boolean noteSilence(List<Outgoing> messages) {
        Set<OutgoingMapper.Address> addresses = ConcurrentHashMap.newKeySet();
        messages.forEach(message -> addresses.add(message.to()));
        boolean known = true;
        for (OutgoingMapper.Address address : addresses) {
            known &= remember(address);
        }
        return known && addresses.size() > 1;
    }

    private synchronized boolean remember(OutgoingMapper.Address address) {
        long now = System.nanoTime();
        if (silent.size() >= MOST && !silent.containsKey(address)) {
            silent.values().removeIf(since -> now - since > FORGOTTEN_NANOS);
        }
        if (silent.size() >= MOST && !silent.containsKey(address)) {
            return false;
        }
        silent.put(address, now);
        any = true;
        return true;
    }

    /**
     * The broker took a message for its address, or returned it. A nack is no such sign: it is how a silence may end
     * late.
     */
    void noteAnswer(Outgoing message) {
        if (any) {
            forget(message.to());
        }
    }

    private synchronized void forget(OutgoingMapper.Address address) {
        silent.remove(address);
        any = !silent.isEmpty();
    }
}
