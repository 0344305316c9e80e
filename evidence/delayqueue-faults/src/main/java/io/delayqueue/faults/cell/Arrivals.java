// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.HistoryWriter;
import io.delayqueue.faults.load.RedisClock;
import io.delayqueue.faults.load.Work;
import io.delayqueue.rabbit.RabbitHeaders;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records each message. The broker redelivers a message whose acknowledgement it has not received. This is not a fault
 * of the library, so a redelivered message is ignored if it arrived before under the same lease.
 */
final class Arrivals implements MessageListener {

    private final JsonMapper json = new JsonMapper();
    private final HistoryWriter history;
    private final RedisClock clock;
    private final Set<String> seen = new HashSet<>();
    private final AtomicLong count = new AtomicLong();

    Arrivals(HistoryWriter history, RedisClock clock) {
        this.history = history;
        this.clock = clock;
    }

    @Override
    public synchronized void onMessage(Message message) {
        Map<String, Object> headers = message.getMessageProperties().getHeaders();
        String queue = String.valueOf(headers.get(RabbitHeaders.QUEUE));
        // A message that an intake stored has the id of its producer, if there is one.
        Object named = headers.get(RabbitHeaders.ID);
        String id = String.valueOf(
                named != null ? named : message.getMessageProperties().getMessageId());
        long token = number(headers, RabbitHeaders.FENCING_TOKEN);
        boolean redelivered = Boolean.TRUE.equals(message.getMessageProperties().isRedelivered());
        count.incrementAndGet();
        if (!seen.add(id + " " + token) && redelivered) {
            return;
        }
        history.write(new Event.Arrived(
                queue,
                id,
                json.readValue(message.getBody(), Work.class).version(),
                token,
                (int) number(headers, RabbitHeaders.ATTEMPT),
                number(headers, RabbitHeaders.DUE_AT),
                clock.latestMicros(),
                redelivered));
    }

    private static long number(Map<String, Object> headers, String name) {
        return headers.get(name) instanceof Number value ? value.longValue() : -1;
    }

    /** Returns the number of messages. */
    long count() {
        return count.get();
    }
}
