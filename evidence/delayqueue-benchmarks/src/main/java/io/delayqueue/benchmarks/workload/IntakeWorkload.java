// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.delayqueue.benchmarks.server.BrokerQueue;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.subject.Task;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * W19: persistent messages of 1 KiB, delayed by an hour, from one publisher with confirms to a quorum queue and from
 * there to Redis. Measures publishing and storing, one after the other, in several parts; publishing to another quorum
 * queue; and then the memory. With this library, a second process then also runs the intake, and messages that are due
 * after one to four seconds show the lateness at their consumer: with a delay, which starts when the intake stores the
 * message, and with a due time.
 */
final class IntakeWorkload implements Workload {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final String QUEUE = OwnIntake.EXCHANGE + ".intake";
    private static final int BODY = 1024;
    private static final int UNCONFIRMED = 1_000;
    private static final int PARTS = 5;
    private static final int WARM_UP = 50_000; // Until the JVM has compiled the measured code.
    private static final int PER_SECOND = 500;
    private static final Map<String, Object> IN_AN_HOUR = Map.of("x-delay", 3_600_000);

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        boolean own = setting.subject().equals(Subjects.DELAYQUEUE);
        Place place = setting.place();
        RedisClient client = RedisClient.create(RedisURI.create(place.redis()));
        try (Connection connection = BrokerQueue.connect(place);
                StatefulRedisConnection<String, String> redis = client.connect()) {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            declare(channel);
            try (Consumption intake = own ? new OwnIntake(place) : new BareIntake(place, QUEUE);
                    BrokerQueue plain = new BrokerQueue(place, "plain", true)) {
                Session session = new Session(setting, recorder, channel, redis, intake, plain);
                session.measure();
                if (own) {
                    session.measureTwoProcesses();
                    lateness(setting, recorder, channel);
                }
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    /** Declares the same queue as the intake, so that it exists for both subjects. */
    private static void declare(Channel channel) throws IOException {
        channel.exchangeDeclare(OwnIntake.EXCHANGE, "fanout", true);
        channel.queueDeclare(
                QUEUE, true, false, false, Map.of("x-queue-type", "quorum", "x-single-active-consumer", true));
        channel.queueBind(QUEUE, OwnIntake.EXCHANGE, "");
    }

    private static void publish(
            Channel channel, String exchange, String key, String payload, Map<String, Object> headers) {
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .deliveryMode(2)
                .headers(headers)
                .build();
        byte[] body = (payload + "x".repeat(BODY - payload.length())).getBytes(StandardCharsets.US_ASCII);
        try {
            channel.basicPublish(exchange, key, properties, body);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static void lateness(Setting setting, Recorder recorder, Channel channel)
            throws IOException, InterruptedException {
        int count = PER_SECOND * setting.size(30, 12);
        Arrivals arrivals = new Arrivals();
        channel.queueDeclare("consumer", true, false, false, Map.of());
        channel.queueBind("consumer", OwnIntake.EXCHANGE + ".due", "late");
        Channel consumer = channel.getConnection().createChannel();
        consumer.basicConsume(
                "consumer",
                true,
                (tag, message) -> arrivals.arrived(new String(message.getBody(), StandardCharsets.US_ASCII)),
                tag -> {});
        List<String> headers = List.of("x-delay", "x-delay", "x-delay-until");
        for (int round = 0; round < headers.size(); round++) {
            String header = headers.get(round);
            long first = (long) round * count;
            Stage stage = arrivals.expect(first, count);
            Pace pace = new Pace(PER_SECOND, 1, (index, planned) -> {
                long delay = new SplittableRandom(first + index).nextLong(1000, 4000);
                Task task = Task.of(0, first + index, planned + delay);
                long value = header.equals("x-delay") ? task.dueAt() - System.currentTimeMillis() : task.dueAt();
                publish(channel, OwnIntake.EXCHANGE, "late", task.payload(), Map.of(header, value));
            });
            pace.run(count);
            stage.await(Duration.ofSeconds(10), Duration.ofSeconds(30));
            if (round > 0) { // Round 0 is the warm-up.
                recorder.count("delivered with " + header, count, stage.arrived());
                recorder.metric("lateness p50 of " + header + ", ms", stage.latenessMillis(0.5));
                recorder.metric("lateness p99 of " + header + ", ms", stage.latenessMillis(0.99));
                recorder.metric("lateness max of " + header + ", ms", stage.latenessMillis(1));
                pace.record("sent a second with " + header, recorder);
            }
        }
    }

    /** Messages that wait for an hour. */
    private static final class Session {

        private final Recorder recorder;
        private final Place place;
        private final Channel channel;
        private final StatefulRedisConnection<String, String> redis;
        private final Consumption intake;
        private final BrokerQueue plain;
        private final int part;
        private final Medians medians = new Medians();
        private long sent;

        Session(
                Setting setting,
                Recorder recorder,
                Channel channel,
                StatefulRedisConnection<String, String> redis,
                Consumption intake,
                BrokerQueue plain) {
            this.recorder = recorder;
            this.place = setting.place();
            this.channel = channel;
            this.redis = redis;
            this.intake = intake;
            this.plain = plain;
            this.part = setting.size(100_000, 8_000);
        }

        void measure() throws IOException, InterruptedException {
            intake.start();
            fill(WARM_UP);
            awaitStored(sent);
            recorder.begin();
            long dataset = recorder.redis().datasetBytes();
            for (int i = 0; i < PARTS; i++) {
                intake.stop();
                if (i % 2 == 0) {
                    fillPlain();
                }
                medians.add("publish", fill(part));
                if (i % 2 != 0) {
                    fillPlain();
                }
                intake.start();
                medians.add("intake, 1 process", storedPerSecond());
            }
            recorder.end();
            TimeUnit.MILLISECONDS.sleep(500);
            recorder.metric("bytes a message", (recorder.redis().datasetBytes() - dataset) / (double) (PARTS * part));
            medians.record(recorder);
            recorder.count("stored", sent, stored());
        }

        /** Measures with a second process. It waits, because only one consumer at a time is active. */
        void measureTwoProcesses() throws IOException, InterruptedException {
            Medians two = new Medians();
            Process other = OwnIntake.another(place);
            BufferedReader answers = other.inputReader(StandardCharsets.UTF_8);
            try {
                awaitDone(answers);
                for (int i = 0; i < PARTS; i++) {
                    intake.stop();
                    say(other, OwnIntake.STOP);
                    awaitDone(answers);
                    fill(part);
                    intake.start();
                    say(other, OwnIntake.START);
                    two.add("intake, 2 processes", storedPerSecond());
                    awaitDone(answers);
                }
            } finally {
                other.destroyForcibly();
            }
            two.record(recorder);
            recorder.count("stored with 2 processes", sent, stored());
        }

        private static void awaitDone(BufferedReader answers) throws IOException {
            for (String line = answers.readLine(); !OwnIntake.DONE.equals(line); line = answers.readLine()) {
                if (line == null) {
                    throw new IllegalStateException("The other process has ended");
                }
                System.out.println(line); // A line of its log.
            }
        }

        private static void say(Process process, char letter) throws IOException {
            process.getOutputStream().write(letter);
            process.getOutputStream().flush();
        }

        /** Publishes to the intake and returns the rate. */
        private double fill(int count) throws InterruptedException {
            sent += count;
            return publishPerSecond(OwnIntake.EXCHANGE, "", count);
        }

        private void fillPlain() throws InterruptedException {
            medians.add("publish to a plain quorum queue", publishPerSecond(BrokerQueue.EXCHANGE, plain.name(), part));
            plain.purge();
        }

        private double publishPerSecond(String exchange, String key, int count) throws InterruptedException {
            long began = System.nanoTime();
            try {
                for (int i = 1; i <= count; i++) {
                    publish(channel, exchange, key, Task.of(0, i, 0).payload(), IN_AN_HOUR);
                    if (i % UNCONFIRMED == 0 || i == count) {
                        channel.waitForConfirmsOrDie(LIMIT.toMillis());
                    }
                }
            } catch (IOException | TimeoutException ex) {
                throw new IllegalStateException("The broker did not confirm", ex);
            }
            return count * 1e9 / (System.nanoTime() - began);
        }

        /** Returns the rate between the first message in Redis and the last. */
        private double storedPerSecond() throws InterruptedException {
            long before = sent - part;
            long limit = System.nanoTime() + LIMIT.toNanos();
            long first = stored();
            while (first <= before && System.nanoTime() < limit) {
                TimeUnit.MILLISECONDS.sleep(2);
                first = stored();
            }
            long began = System.nanoTime();
            awaitStored(sent);
            return (sent - first) * 1e9 / Math.max(1, System.nanoTime() - began);
        }

        private long stored() {
            return redis.sync().zcard(intake.index());
        }

        private void awaitStored(long count) throws InterruptedException {
            long limit = System.nanoTime() + LIMIT.toNanos();
            while (stored() < count) {
                if (System.nanoTime() > limit) {
                    throw new IllegalStateException(stored() + " of " + count + " messages were stored");
                }
                TimeUnit.MILLISECONDS.sleep(2);
            }
        }
    }
}
