// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.Caller;
import io.delayqueue.control.PayloadFormatter;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.PendingChanges;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A queue of four shards on a real Redis, managed by a test. */
final class ControlScene implements AutoCloseable {

    static final String QUEUE = "orders";
    static final int SHARDS = 4;
    static final int TASKS = 60;
    /** Tasks that an operation reads at a time. */
    static final int PAGE = 500;

    static final Instant FIRST = Instant.parse("2100-01-01T00:00:00Z");
    static final Caller EVE = Caller.unknown("eve");
    static final Set<QueuePermission> EVERYTHING = EnumSet.allOf(QueuePermission.class);

    final StoreFixture redis;
    final List<AuditEntry> audit = new CopyOnWriteArrayList<>();
    final DelayQueueAdmin admin;
    /** The gate of the operations of {@link #control}. */
    final Gate gate;

    final DelayQueueTemplate template;
    final QueueControl control;
    /** The outboxes of {@link #control}. */
    final List<PendingChanges> outboxes = new CopyOnWriteArrayList<>();

    volatile Set<QueuePermission> permissions = EVERYTHING;

    ControlScene(@Nullable PayloadFormatter payloads) {
        this(payloads, new StoreFixture());
    }

    ControlScene(@Nullable PayloadFormatter payloads, StoreFixture redis) {
        this.redis = redis;
        QueueCatalog queues = RedriveProcess.queues(QUEUE, SHARDS);
        admin = redis.admin(queues);
        gate = new Gate(admin);
        template = new DelayQueueTemplate(redis.store(), queues, new PayloadCodecs(List.of()), TaskBounds.DEFAULT);
        control = new QueueControl(
                gate.admin(),
                template,
                (caller, queue) -> permissions,
                payloads,
                List.of(audit::add),
                redis.store(),
                () -> outboxes,
                Map::of,
                null);
        // the first call connects, which may take longer than a call may
        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> admin.stats(QUEUE) != null);
    }

    /** Where operations wait before they read a page of tasks. It is open until a test allows a number of pages. */
    static final class Gate {

        private static final int ALL = 1_000_000;

        /** Runs after an operation has read a page, before it changes the tasks. */
        volatile Runnable afterPage = () -> {};

        private final Semaphore pages = new Semaphore(ALL);
        private final DelayQueueAdmin admin;

        Gate(DelayQueueAdmin target) {
            admin = (DelayQueueAdmin) Proxy.newProxyInstance(
                    DelayQueueAdmin.class.getClassLoader(),
                    new Class<?>[] {DelayQueueAdmin.class},
                    (proxy, method, args) -> {
                        boolean isPage = method.getName().matches("(live|dead)Tasks")
                                && Thread.currentThread().getName().startsWith("delayqueue-control-");
                        if (isPage) {
                            pages.acquireUninterruptibly();
                        }
                        try {
                            Object answer = method.invoke(target, args);
                            if (isPage) {
                                afterPage.run();
                            }
                            return answer;
                        } catch (InvocationTargetException ex) {
                            throw ex.getCause();
                        }
                    });
        }

        /** Returns the admin, which lets operations read only allowed pages. */
        DelayQueueAdmin admin() {
            return admin;
        }

        /** Allows all operations together to read this number of pages. */
        void allow(int count) {
            pages.drainPermits();
            pages.release(count);
        }

        void open() {
            pages.release(ALL);
        }

        void awaitOperation() {
            await().atMost(Duration.ofSeconds(30)).until(pages::hasQueuedThreads);
        }
    }

    static String id(int number) {
        return (number % 3 == 0 ? "vip-" : "t-") + number;
    }

    static Instant at(int minutes) {
        return FIRST.plus(Duration.ofMinutes(minutes));
    }

    /**
     * Schedules one task for each minute. Every third id begins with {@code vip-}, and every second task has the header
     * tenant.
     */
    void schedule() {
        schedule(TASKS);
    }

    void schedule(int tasks) {
        template.scheduleAll(IntStream.range(0, tasks)
                .mapToObj(i -> ScheduleRequest.to(QUEUE)
                        .id(id(i))
                        .payload("secret-" + i)
                        .header("tenant", i % 2 == 0 ? "acme" : "other")
                        .dueAt(at(i))
                        .build())
                .toList());
    }

    static Shard home(String id) {
        return new Shard(QUEUE, Sharding.initial(SHARDS).homeOf(id));
    }

    /** Leases all due tasks of a task's shard, as a worker does. Returns the fencing token. */
    long lease(String id) {
        return redis.store()
                .leases()
                .acquire(home(id), Acquires.of(100, Duration.ofMinutes(1), 10, 1 << 20, 100))
                .join()
                .token();
    }

    /** Lets a worker hold a due task back because of the limits of its key. */
    void holdBack(String id) {
        assertThat(redis.store()
                        .leases()
                        .acquireLimited(
                                home(id), Acquires.of(100, Duration.ofMinutes(1), 10, 1 << 20, 100), KeyLimits.NONE)
                        .join()
                        .tasks())
                .isEmpty();
    }

    /** Lets an attempt of a due task fail, so that it is retried in two hours. */
    void fail(String id) {
        redis.store()
                .leases()
                .settle(
                        home(id),
                        List.of(Settlement.retry(id, lease(id), Duration.ofHours(2), true, false, "503")
                                .withStackTrace("at Handler.call")))
                .join();
    }

    void makeDead(List<String> ids) {
        for (int shard = 0; shard < SHARDS; shard++) {
            int number = shard;
            redis.makeDead(
                    new Shard(QUEUE, shard),
                    ids.stream()
                            .filter(id -> Sharding.initial(SHARDS).homeOf(id) == number)
                            .toList());
        }
    }

    List<String> pages(TaskState state, TaskFilter filter, int size) {
        List<String> ids = new ArrayList<>();
        String next = null;
        do {
            TaskViews page = control.tasks(EVE, QUEUE, state, filter, size, next);
            if (page.tasks().size() > size) {
                throw new AssertionError(
                        "A page of " + size + " holds " + page.tasks().size());
            }
            page.tasks().forEach(task -> ids.add(task.id()));
            next = page.next();
        } while (next != null);
        return ids;
    }

    @Override
    public void close() {
        gate.open();
        control.close();
        redis.close();
    }
}
