// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.history.Event.Verb;
import io.delayqueue.faults.history.HistoryWriter;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Publishes the calls for the forwarded queue to an intake, as a program in another language would, and makes all
 * others directly. A call is answered when the broker has confirmed its message; the run determines later when the
 * intake has executed the call. Messages contain a due time instead of a delay, so that a message that is stored twice
 * has a single due time. Thread-safe; each thread has its own channel.
 */
public final class PublishedCalls implements TaskCalls {

    /** The outcome of a call whose message the broker has. */
    public static final String CONFIRMED = "CONFIRMED";

    private static final long CONFIRM_MILLIS = 10_000;

    /** Suffix of the version of a task that was stored again, because a message cannot reschedule a task. */
    private static final String MOVED = "-moved-";

    private final JsonMapper json = new JsonMapper();
    private final ConnectionFactory factory = new ConnectionFactory();
    private final String exchange;
    private final Calls direct;
    private final HistoryWriter history;
    private final RedisClock clock;
    private final AtomicLong numbers = new AtomicLong(1L << 40); // the direct calls count from 1
    private final ThreadLocal<@Nullable Publisher> publishers = new ThreadLocal<>();

    PublishedCalls(URI broker, String exchange, Calls direct, HistoryWriter history, RedisClock clock) {
        try {
            factory.setUri(broker);
        } catch (GeneralSecurityException | java.net.URISyntaxException ex) {
            throw new IllegalStateException(ex);
        }
        factory.setAutomaticRecoveryEnabled(false);
        this.exchange = exchange;
        this.direct = direct;
        this.history = history;
        this.clock = clock;
    }

    @Override
    public Answer schedule(ScheduleRequest<?> request, String version) {
        if (!request.queue().equals(LoadApplication.FORWARDED)) {
            return direct.schedule(request, version);
        }
        return request.due().relative()
                ? store(request.id(), version, request.due().millis())
                : storeAt(request.id(), version, request.due().millis());
    }

    @Override
    public Answer cancel(String queue, String id) {
        if (!queue.equals(LoadApplication.FORWARDED)) {
            return direct.cancel(queue, id);
        }
        return publish(
                invoked(Verb.CANCEL, id, null, null, null),
                Map.of("x-delay-id", id, "x-delay-cancel", true),
                new byte[0]);
    }

    @Override
    public Answer reschedule(String queue, String id, Duration delay) {
        if (!queue.equals(LoadApplication.FORWARDED)) {
            return direct.reschedule(queue, id, delay);
        }
        return store(id, id + MOVED + numbers.incrementAndGet(), delay.toMillis());
    }

    private Answer store(String id, String version, long delayMillis) {
        Long now = clock.latestMicros();
        return now != null
                ? storeAt(id, version, now / 1000 + delayMillis)
                : publish(
                        invoked(Verb.SCHEDULE, id, version, delayMillis, null),
                        Map.of("x-delay-id", id, "x-delay", delayMillis),
                        body(version));
    }

    private Answer storeAt(String id, String version, long atMillis) {
        return publish(
                invoked(Verb.SCHEDULE, id, version, null, atMillis),
                Map.of("x-delay-id", id, "x-delay-until", atMillis),
                body(version));
    }

    private byte[] body(String version) {
        return json.writeValueAsBytes(new Work(version, Work.Behaviour.SUCCEED));
    }

    private Event.Invoked invoked(
            Verb verb, String id, @Nullable String version, @Nullable Long delayMillis, @Nullable Long atMillis) {
        return new Event.Invoked(
                numbers.incrementAndGet(),
                verb,
                LoadApplication.FORWARDED,
                id,
                version,
                version == null ? null : ConflictPolicy.REPLACE,
                delayMillis,
                atMillis,
                null,
                clock.earliestMicros());
    }

    private Answer publish(Event.Invoked invoked, Map<String, Object> headers, byte[] body) {
        history.write(invoked);
        Publisher publisher;
        try {
            publisher = publisher();
        } catch (IOException | TimeoutException | RuntimeException ex) {
            return answered(invoked, Answer.FAIL, ex);
        }
        try {
            return answered(invoked, publisher.publish(exchange, headers, body), null);
        } catch (IOException | TimeoutException | ShutdownSignalException ex) {
            publisher.abort();
            return answered(invoked, Answer.UNKNOWN, ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return answered(invoked, Answer.UNKNOWN, ex);
        }
    }

    private Answer answered(Event.Invoked invoked, Answer answer, @Nullable Exception error) {
        history.write(new Event.Answered(
                invoked.call(),
                answer,
                answer == Answer.OK ? CONFIRMED : null,
                null,
                clock.latestMicros(),
                error == null ? null : error.toString()));
        return answer;
    }

    /** Returns the publisher of this thread, connected again if necessary. */
    private Publisher publisher() throws IOException, TimeoutException {
        Publisher known = publishers.get();
        if (known != null) {
            if (known.channel.isOpen()) {
                return known;
            }
            known.abort();
        }
        Publisher anew = new Publisher(factory.newConnection());
        publishers.set(anew);
        return anew;
    }

    /** A connection and a channel of one thread. */
    private static final class Publisher {

        private final Connection connection;
        private final Channel channel;
        private volatile boolean returned;

        Publisher(Connection connection) throws IOException {
            this.connection = connection;
            this.channel = connection.createChannel();
            channel.confirmSelect();
            channel.addReturnListener(message -> returned = true);
        }

        /**
         * Returns FAIL for a message that the broker returned, for example because the intake has not bound its queue
         * yet.
         */
        Answer publish(String exchange, Map<String, Object> headers, byte[] body)
                throws IOException, InterruptedException, TimeoutException {
            returned = false;
            AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                    .contentType("application/json")
                    .deliveryMode(2)
                    .headers(new HashMap<>(headers))
                    .build();
            channel.basicPublish(exchange, LoadApplication.ROUTING_KEY, true, properties, body);
            boolean confirmed = channel.waitForConfirms(CONFIRM_MILLIS);
            if (returned) {
                return Answer.FAIL;
            }
            return confirmed ? Answer.OK : Answer.UNKNOWN;
        }

        void abort() {
            connection.abort(1_000);
        }
    }
}
