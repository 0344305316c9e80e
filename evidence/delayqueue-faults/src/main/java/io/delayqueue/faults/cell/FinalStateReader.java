// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.FoundTask;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.faults.check.FinalState;
import io.delayqueue.faults.load.Work;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Reads every key of the queues, and separates tasks from other data. */
final class FinalStateReader {

    private static final Pattern SHARD_KEY = Pattern.compile("dq:\\{(.+):(\\d+)}:(\\w+)");
    private static final Pattern QUEUE_KEY = Pattern.compile("dq:\\{[^:}]+}:(\\w+)");
    private static final Set<String> STAY_WITH_SHARD =
            Set.of("token", "sharding", "acquires", "tat", "running", "waiting", "turns");
    private static final Set<String> STAY_WITH_QUEUE =
            Set.of("sharding", "migrator", "forwarder", "rates", "queues", "instances");

    private final StringRedisTemplate redis;
    private final DelayQueueOperations operations;
    private final List<FinalState.Live> live = new ArrayList<>();
    private final List<FinalState.Dead> dead = new ArrayList<>();
    private final List<String> others = new ArrayList<>();

    FinalStateReader(StringRedisTemplate redis, DelayQueueOperations operations) {
        this.redis = redis;
        this.operations = operations;
    }

    FinalState read(List<String> queues) {
        Set<String> shards = new TreeSet<>();
        for (String key : new TreeSet<>(redis.keys("dq:*"))) {
            Matcher ofShard = SHARD_KEY.matcher(key);
            Matcher ofQueue = QUEUE_KEY.matcher(key);
            if (ofShard.matches() && queues.contains(ofShard.group(1))) {
                if (isOfTasks(ofShard.group(3))) {
                    shards.add(ofShard.group(1) + ":" + ofShard.group(2));
                } else if (!STAY_WITH_SHARD.contains(ofShard.group(3))) {
                    others.add(key);
                }
            } else if (!ofQueue.matches() || !STAY_WITH_QUEUE.contains(ofQueue.group(1))) {
                others.add(key);
            }
        }
        shards.forEach(shard -> read(shard.substring(0, shard.indexOf(':')), shard.substring(shard.indexOf(':') + 1)));
        return new FinalState(live, dead, others);
    }

    private static boolean isOfTasks(String kind) {
        return switch (kind) {
            case "index", "tasks", "dead", "leases", "attempts", "holds", "groups" -> true;
            default -> false;
        };
    }

    private void read(String queue, String shard) {
        String prefix = "dq:{" + queue + ":" + shard + "}:";
        Set<String> tasks = members(prefix + "tasks");
        Set<String> index = members(prefix + "index");
        Set<String> deads = members(prefix + "dead");
        for (String id : index) {
            live.add(new FinalState.Live(
                    queue,
                    Integer.parseInt(shard),
                    id,
                    find(queue, id).map(this::version).orElse(null)));
        }
        deads.forEach(id -> readDead(queue, Integer.parseInt(shard), id));
        Set<String> known = new HashSet<>(index);
        known.addAll(deads);
        for (String kind : List.of("tasks", "leases", "attempts", "holds")) {
            members(prefix + kind).stream()
                    .filter(id -> !known.contains(id))
                    .forEach(id -> others.add(prefix + kind + " " + id));
        }
        known.stream().filter(id -> !tasks.contains(id)).forEach(id -> others.add(prefix + "tasks lacks " + id));
        readGroups(prefix + "groups", tasks, deads);
        index.stream().filter(deads::contains).forEach(id -> others.add(prefix + "index and dead " + id));
    }

    /** Checks that the key contains each task with a group once, dead tasks with the prefix D, and nothing else. */
    private void readGroups(String key, Set<String> tasks, Set<String> deads) {
        Set<String> missing = new TreeSet<>();
        tasks.stream()
                .filter(id -> TaskIds.groupOf(id).isPresent())
                .forEach(id -> missing.add(deads.contains(id) ? "D" + id : id));
        for (String member : members(key)) {
            if (!missing.remove(member)) {
                others.add(key + " " + member);
            }
        }
        missing.forEach(id -> others.add(key + " lacks " + id));
    }

    private void readDead(String queue, int shard, String id) {
        Optional<FoundTask<Work>> found = find(queue, id).filter(task -> task.state() == TaskState.DEAD);
        dead.add(new FinalState.Dead(
                queue,
                shard,
                id,
                found.map(this::version).orElse(null),
                found.map(FoundTask::failures).orElse(0),
                found.map(FoundTask::leaseExpiries).orElse(0),
                found.flatMap(FoundTask::lastReason).orElse("")));
    }

    private Optional<FoundTask<Work>> find(String queue, String id) {
        return operations.find(queue, id, Work.class);
    }

    private String version(FoundTask<Work> task) {
        return task.payload().version();
    }

    private Set<String> members(String key) {
        DataType type = redis.type(key);
        if (type == DataType.HASH) {
            return redis.<String, String>opsForHash().keys(key);
        }
        if (type == DataType.ZSET) {
            return redis.opsForZSet().range(key, 0, -1);
        }
        if (type != DataType.NONE) {
            others.add(key + " is a " + type);
        }
        return Set.of();
    }
}
