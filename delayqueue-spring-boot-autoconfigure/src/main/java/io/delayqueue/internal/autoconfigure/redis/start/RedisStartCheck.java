// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties.Check;
import io.delayqueue.internal.concurrent.BackgroundWorker;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.Shardings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.NestedExceptionUtils;

/**
 * Checks the Redis servers during the start, and completes before any trigger starts. The application does not start if
 * a server may lose tasks or lacks required commands. It starts if Redis cannot be reached. The check then runs when
 * Redis answers, until it passes. Until then, {@link #problems} keeps the health status DOWN.
 */
public final class RedisStartCheck implements SmartInitializingSingleton, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(RedisStartCheck.class);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final String PROPERTY = "delayqueue.redis.check";
    private static final int LONGEST_MESSAGE = 200;

    private final RedisConnections connections;
    private final RedisKeys keys;
    private final QueueCatalog queues;
    private final ConfiguredShardings shardings;
    private final DelayQueueProperties.Redis properties;
    private final Scheduler scheduler;
    private final Runnable closeApplication;
    private @Nullable CompletableFuture<Void> first;
    private @Nullable BackgroundWorker later;
    private boolean shardingsAreRequested;
    private List<Finding> last = List.of();
    private volatile List<String> problems = List.of();

    /** @param closeApplication closes the application if a sharding turns out to be unreadable after the start */
    public RedisStartCheck(
            RedisConnections connections,
            RedisKeys keys,
            QueueCatalog queues,
            Shardings shardings,
            Resharding resharding,
            DelayQueueProperties.Redis properties,
            Scheduler scheduler,
            Runnable closeApplication) {
        this.connections = connections;
        this.keys = keys;
        this.queues = queues;
        this.shardings = new ConfiguredShardings(queues, shardings, resharding);
        this.properties = properties;
        this.scheduler = scheduler;
        this.closeApplication = closeApplication;
    }

    /** Starts the check on another thread, unless there are no queues. */
    public RedisStartCheck begin() {
        if (!queues.names().isEmpty()) {
            first = CompletableFuture.runAsync(
                    this::checkAtStart,
                    step -> NamedThreads.HOUSEKEEPING.newThread(step).start());
        }
        return this;
    }

    /** Returns the known problems of the servers, for the health indicator; empty for none. */
    public List<String> problems() {
        return problems;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (first == null) {
            return;
        }
        try {
            first.join();
        } catch (CompletionException ex) {
            if (Causes.of(ex) instanceof InvalidDelayQueueSetupException invalid) {
                throw invalid;
            }
            log.warn(
                    "Redis could not be checked at startup ({}); the application starts, and checks Redis when it "
                            + "answers",
                    rootMessage(ex));
            connections.noteLoggedOutage();
            later = scheduler.worker();
            later.every(RETRY, this::checkAgain);
        }
    }

    private void checkAtStart() {
        List<Finding> fatal = ask();
        if (!fatal.isEmpty()) {
            throw new InvalidDelayQueueSetupException(
                    PROPERTY,
                    joined(fatal.stream().map(Finding::description)),
                    joined(fatal.stream().map(Finding::action).distinct()));
        }
        shardings.request();
    }

    private static String joined(Stream<String> texts) {
        return texts.collect(Collectors.joining(" "));
    }

    /** Queries the servers and logs new findings. Returns the findings that prevent the start. */
    private List<Finding> ask() {
        if (properties.check() == Check.OFF) {
            connections.commands().join();
            return List.of();
        }
        List<Master> masters = Master.of(connections);
        List<Finding> findings = new ArrayList<>(ServerFindings.of(masters, queues));
        findings.addAll(missing(masters));
        findings.stream()
                .filter(finding -> !last.contains(finding) && !isFatal(finding))
                .forEach(finding -> log.warn("{}", finding.text()));
        last = findings;
        return findings.stream().filter(this::isFatal).toList();
    }

    private boolean isFatal(Finding finding) {
        return properties.check() == Check.FAIL && finding.level() == Level.ERROR;
    }

    private List<Finding> missing(List<Master> masters) {
        boolean replicas = queues.all().stream().anyMatch(queue -> queue.minReplicas() > 0);
        Map<Boolean, List<String>> missing =
                RedisProbe.missing(masters, keys, properties.commandTimeout(), replicas).stream()
                        .collect(Collectors.partitioningBy(feature -> feature.startsWith(RedisProbe.PUBLISH)));
        return Stream.of(
                        finding(
                                Level.WARN,
                                missing.get(true),
                                "This Redis server or its user lacks %s: tasks may be late by up to the max-idle-interval."),
                        finding(
                                Level.ERROR,
                                missing.get(false),
                                "This Redis server or its user lacks permissions that the delay queues need: %s."))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Finding> finding(Level level, @Nullable List<String> missing, String description) {
        return (missing == null || missing.isEmpty())
                ? Optional.empty()
                : Optional.of(new Finding(
                        level,
                        description.formatted(String.join(", ", missing)),
                        "Grant the user the permissions listed in docs/security.md on every node, and do not "
                                + "rename these commands; or use another server or service with Redis 6.2 or later. With "
                                + PROPERTY + "=warn the application starts anyway."));
    }

    private void checkAgain() {
        try {
            List<Finding> fatal = ask();
            List<String> found = fatal.stream().map(Finding::text).toList();
            if (!found.equals(problems)) {
                found.forEach(log::error);
                problems = found;
            }
            requestShardings();
            if (found.isEmpty()) {
                log.info("Redis passed the check");
                stop();
            }
        } catch (RuntimeException ex) {
            log.debug("Redis could not be checked yet: {}", rootMessage(ex));
        }
    }

    /**
     * Requests the configured shardings. Closes the application if one cannot be read, because its tasks would not be
     * delivered.
     */
    private void requestShardings() {
        if (shardingsAreRequested) {
            return;
        }
        try {
            shardings.request();
            shardingsAreRequested = true;
        } catch (InvalidDelayQueueSetupException ex) {
            log.error("Closing the application: {} {}", ex.description(), ex.action());
            stop();
            new Thread(closeApplication, "delayqueue-check-close").start();
        }
    }

    /** Returns the message of the root cause, sanitized for the log. */
    static String rootMessage(Throwable error) {
        return PrintableText.of(
                String.valueOf(NestedExceptionUtils.getMostSpecificCause(error).getMessage()), LONGEST_MESSAGE);
    }

    private void stop() {
        if (later != null) {
            later.finish();
        }
    }

    @Override
    public void destroy() {
        stop();
    }
}
