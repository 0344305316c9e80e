// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import io.delayqueue.admin.QueuePause;
import io.delayqueue.internal.autoconfigure.metrics.QueueOutlook;
import io.delayqueue.internal.autoconfigure.metrics.QueueOutlooks;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.trigger.ScanTrigger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Reports whether tasks are delivered. DOWN if Redis does not run a script or did not pass the startup check, if a
 * broker cannot be reached or blocks its publishers, if an intake accepts no messages, or if a task has been overdue
 * for longer than the limit and its queue is not paused. OUT_OF_SERVICE if a trigger that starts with the application
 * was stopped. A check makes one call to Redis, and takes at most a second if Redis is unavailable. The state of the
 * queues comes from {@link QueueOutlooks}.
 */
public final class DelayQueueHealthIndicator extends AbstractHealthIndicator {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final TaskStore store;
    private final Supplier<List<String>> redisProblems;
    private final QueueCatalog queues;
    private final QueueOutlooks outlooks;
    private final Supplier<List<ScanTrigger>> triggers;
    private final @Nullable Brokers brokers;
    private final Duration overdueLimit;
    private final Supplier<Map<String, String>> differences;

    /**
     * @param redisProblems findings of the startup check of Redis
     * @param brokers brokers of this process; null for none
     * @param overdueLimit how long a due task may wait
     * @param differences problems between processes, by queue
     */
    public DelayQueueHealthIndicator(
            TaskStore store,
            Supplier<List<String>> redisProblems,
            QueueCatalog queues,
            QueueOutlooks outlooks,
            Supplier<List<ScanTrigger>> triggers,
            @Nullable Brokers brokers,
            Duration overdueLimit,
            Supplier<Map<String, String>> differences) {
        super("Could not check the delay queues");
        this.store = store;
        this.redisProblems = redisProblems;
        this.queues = queues;
        this.outlooks = outlooks;
        this.triggers = triggers;
        this.brokers = brokers;
        this.overdueLimit = overdueLimit;
        this.differences = differences;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) throws InterruptedException {
        try {
            look(health);
        } catch (InterruptedException ex) {
            // The caller catches all exceptions and does not restore the interrupt.
            Thread.currentThread().interrupt();
            throw ex;
        }
    }

    private void look(Health.Builder health) throws InterruptedException {
        outlooks.start();
        Findings findings = new Findings();
        health.withDetail("redis", redis(findings));
        redisProblems.get().forEach(findings::down);
        if (brokers != null) {
            health.withDetail("brokers", brokers(brokers, findings));
            Map<String, Object> intakes = intakes(brokers, findings);
            if (!intakes.isEmpty()) {
                health.withDetail("intakes", intakes);
            }
        }
        health.withDetail("queues", queues(findings));
        Map<String, String> disagreeing = differences.get();
        if (!disagreeing.isEmpty()) {
            health.withDetail("differences", disagreeing);
        }
        if (!findings.problems.isEmpty()) {
            health.withDetail("problems", findings.problems);
        }
        health.status(findings.status);
    }

    /**
     * Queries a shard to check whether Redis answers. If another server has a problem, the figures of its queues become
     * too old.
     */
    private String redis(Findings findings) throws InterruptedException {
        String queue = queues.names().stream().findFirst().orElse(null);
        if (queue == null) {
            return "not checked: no queue is configured";
        }
        try {
            ShardStats ignored = store.shards()
                    .stats(new Shard(queue, 0), QueueOutlook.AHEAD)
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return "runs scripts";
        } catch (TimeoutException ex) {
            findings.down("Redis has not answered for " + PATIENCE.toSeconds() + " s");
            return "does not answer";
        } catch (ExecutionException ex) {
            findings.down(
                    String.valueOf(ex.getCause() == null ? ex : ex.getCause().getMessage()));
            return "cannot be used";
        }
    }

    private static Map<String, Object> brokers(Brokers brokers, Findings findings) {
        Map<String, Object> details = new LinkedHashMap<>();
        brokers.states().forEach((connection, state) -> {
            if (state.blocked()) {
                findings.down("The broker of the connection " + connection + " blocks its publishers");
            }
            if (state.unreachable()) {
                findings.down("The broker of the connection " + connection + " cannot be reached");
            }
            details.put(connection, Map.of("connected", state.connected(), "blocked", state.blocked()));
        });
        return details;
    }

    private static Map<String, Object> intakes(Brokers brokers, Findings findings) {
        Map<String, Object> details = new LinkedHashMap<>();
        brokers.intakes().forEach((name, problem) -> {
            problem.ifPresent(text -> findings.down("The intake " + name + " accepts no messages: " + text));
            details.put(name, problem.orElse("accepts messages"));
        });
        return details;
    }

    private Map<String, Object> queues(Findings findings) {
        Map<String, ScanTrigger> scanning = new LinkedHashMap<>();
        triggers.get().forEach(trigger -> scanning.putIfAbsent(trigger.queue(), trigger));
        Map<String, Object> details = new LinkedHashMap<>();
        for (String queue : queues.names()) {
            Map<String, Object> known = new LinkedHashMap<>();
            known.put("trigger", trigger(queue, scanning.get(queue), findings));
            outlooks.last(queue).ifPresent(outlook -> addTo(known, outlook));
            known.put("ageSeconds", outlooks.age(queue).toSeconds());
            judge(queue, findings);
            details.put(queue, known);
        }
        return details;
    }

    private static String trigger(String queue, @Nullable ScanTrigger trigger, Findings findings) {
        if (trigger == null) {
            return "none";
        }
        if (trigger.isRunning()) {
            return "running";
        }
        if (trigger.isAutoStartup()) {
            findings.outOfService("The trigger of queue " + queue + " is not running");
        }
        return "stopped";
    }

    private static void addTo(Map<String, Object> known, QueueOutlook outlook) {
        known.put("delayed", outlook.delayed());
        known.put("ready", outlook.due());
        known.put("leased", outlook.leased());
        known.put("dead", outlook.dead());
        known.put("paused", outlook.paused());
        QueuePause pause = outlook.pause();
        if (pause != null) {
            Instant until = pause.until();
            known.put("pausedUntil", until == null ? "resumed" : until.toString());
            known.put("pausedBy", pause.by());
            known.put("pauseReason", pause.reason());
        }
        known.put("overdueSeconds", outlook.overdue().toSeconds());
    }

    /**
     * Adds findings about a queue. If there are no figures yet, measures their age from the start of the application.
     */
    private void judge(String queue, Findings findings) {
        QueueOutlook outlook = outlooks.last(queue).orElse(null);
        if (outlooks.isTooOld(queue)) {
            findings.down("No figures from Redis for queue " + queue + " for "
                    + outlooks.age(queue).toSeconds() + " s");
        } else if (outlook != null && !outlook.paused() && outlook.overdue().compareTo(overdueLimit) > 0) {
            findings.down("A task of queue " + queue + " has been due for "
                    + outlook.overdue().toSeconds() + " s");
        }
    }

    /** The findings, the worst of which determines the status. */
    private static final class Findings {

        private final List<String> problems = new ArrayList<>();
        private Status status = Status.UP;

        void down(String problem) {
            status = Status.DOWN;
            problems.add(problem);
        }

        void outOfService(String problem) {
            status = status.equals(Status.DOWN) ? status : Status.OUT_OF_SERVICE;
            problems.add(problem);
        }
    }
}
