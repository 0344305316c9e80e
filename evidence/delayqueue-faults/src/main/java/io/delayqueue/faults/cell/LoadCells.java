// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.load.LoadApplication;
import java.time.Duration;
import java.util.List;

/** Cells without a fault, but with more load than usual. */
final class LoadCells {

    private static final int[] SHARDS = {11, 5, 8, 13};

    private static final Duration BETWEEN_CHANGES = Duration.ofSeconds(8);
    /** An hour in the unit of tokens. */
    private static final long HOUR = 360_000_000;

    private static final String PUT_AHEAD = """
            local time = redis.call('TIME')
            local ahead = tonumber(time[1]) * 100000 + tonumber(ARGV[1])
            if ahead > tonumber(redis.call('GET', KEYS[1]) or 0) then
              redis.call('SET', KEYS[1], string.format('%.0f', ahead))
            end
            return { 1 }
            """;

    /** The command time-out of the applications, plus the excess that docs/guarantees.md states. */
    private static final Duration CALLS_WITHIN = Duration.ofMillis(2500);

    private LoadCells() {}

    static List<Cell> all() {
        return List.of(
                Cell.of("slow-handlers", "Most handlers are slow, so that calls meet tasks in progress", Fault.NONE)
                        .with("faults.slow-percent=60"),
                Cell.of(
                                "handler-errors",
                                "Handlers and interceptors throw many kinds of errors at random, few tasks run at a time,"
                                        + " and some handlers take longer than a lease",
                                Fault.NONE)
                        .with(
                                "faults.error-percent=10",
                                "faults.slow-time="
                                        + CellTiming.LEASE.plusSeconds(2).toMillis() + "ms",
                                "delayqueue.queues.handled.trigger.concurrency=24",
                                "delayqueue.queues.handled.trigger.batch-size=1",
                                "delayqueue.queues.forwarded.trigger.concurrency=2",
                                "delayqueue.queues.forwarded.trigger.batch-size=3",
                                "logging.level.io.delayqueue.internal.engine.InterceptorChain=ERROR"),
                Cell.of(
                                "client-callbacks-block",
                                "Dependents of asynchronous calls block, and each call must end within 2.5 s",
                                Fault.NONE)
                        .with("faults.blocking=100", "faults.threads=32")
                        .answeringWithin(CALLS_WITHIN),
                Cell.of("reshard", "The number of shards of both queues changes four times", LoadCells::reshard),
                Cell.of(
                                "reshard-fenced",
                                "The number of shards changes while handlers fail and write with their fencing tokens; the"
                                        + " tokens of each shard are ahead of the clock by a different time",
                                LoadCells::reshardApart)
                        .with(
                                "faults.fenced=true",
                                "faults.fail-percent=30",
                                "delayqueue.queues.handled.retry.delay=2s",
                                "delayqueue.queues.handled.retry.max-delay=3s"));
    }

    /**
     * Reshards with different tokens, as in a cluster whose clocks differ. With one clock, wrong tokens would not be
     * noticed.
     */
    private static void reshardApart(Scene scene) throws Exception {
        int[] changes = {0};
        scene.repeat(BETWEEN_CHANGES, () -> {
            int shards = SHARDS[changes[0]++ % SHARDS.length];
            for (String queue : List.of(LoadApplication.HANDLED, LoadApplication.FORWARDED)) {
                for (int shard = 0; shard < scene.admin().sharding(queue).shards(); shard++) {
                    long hours = changes[0] * 24L + shard;
                    scene.servers()
                            .admin()
                            .call("EVAL", PUT_AHEAD, "1", "dq:{" + queue + ":" + shard + "}:token", hours * HOUR + "");
                }
            }
            scene.reshard(shards);
        });
    }

    private static void reshard(Scene scene) throws InterruptedException {
        Duration pause = scene.length().dividedBy(SHARDS.length);
        for (int shards : SHARDS) {
            scene.reshard(shards);
            scene.pause(pause);
        }
    }
}
