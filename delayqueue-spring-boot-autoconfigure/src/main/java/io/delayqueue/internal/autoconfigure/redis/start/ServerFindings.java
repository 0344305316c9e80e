// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Evaluates the servers' versions, eviction policies, append-only files and numbers of replicas. */
final class ServerFindings {

    private static final String UNLESS_TOLERATED =
            " If losing tasks is acceptable, set delayqueue.redis.check to 'warn' (the default is " + "'fail').";

    private ServerFindings() {}

    /** Queries each master once. Blocks. */
    static List<Finding> of(List<Master> masters, QueueCatalog queues) {
        List<Finding> findings = new ArrayList<>();
        for (Master master : masters) {
            try {
                findings.addAll(of(master.address(), master.info(), queues));
            } catch (RuntimeException ex) {
                if (!RedisProbe.isRefused(ex)) {
                    throw ex;
                }
                return List.of(
                        new Finding(
                                Level.WARN,
                                "This Redis user may not run INFO (" + RedisStartCheck.rootMessage(ex)
                                        + "), so the server could not be checked.",
                                "Make sure that the server is Redis 6.2 or later and that its maxmemory-policy is "
                                        + "noeviction; delayqueue.redis.check=off disables this warning and all other checks of Redis."));
            }
        }
        return findings;
    }

    /** @param info fields of the reply to {@code INFO} */
    static List<Finding> of(@Nullable String address, Map<String, String> info, QueueCatalog queues) {
        String name = (address != null) ? address : "on port " + info.getOrDefault("tcp_port", "unknown");
        List<Finding> findings = new ArrayList<>();
        String version = info.getOrDefault("redis_version", "");
        if (isTooOld(version)) {
            findings.add(new Finding(
                    Level.ERROR,
                    "Redis " + name + " is version " + version + ", but the delay queues need 6.2 or later.",
                    "Use Redis 6.2 or later." + UNLESS_TOLERATED));
        }
        String policy = info.getOrDefault("maxmemory_policy", "noeviction");
        if (!policy.equals("noeviction")) {
            findings.add(new Finding(
                    Level.ERROR,
                    "The maxmemory-policy is '" + policy + "' on Redis " + name
                            + ": when its memory is full, it evicts keys, and waiting tasks are lost.",
                    "Set maxmemory-policy to noeviction on the server, or use another server." + UNLESS_TOLERATED));
        }
        if (info.getOrDefault("aof_enabled", "1").equals("0")) {
            findings.add(
                    new Finding(
                            Level.WARN,
                            "Redis " + name
                                    + " keeps no append-only file: a crash loses all tasks since the last "
                                    + "snapshot, if there is one.",
                            "Set appendonly to yes on the server. delayqueue.redis.check=off disables this warning and all other checks of Redis."));
        }
        String replicas = info.getOrDefault("connected_slaves", "");
        for (QueueSettings queue : queues.all()) {
            if (replicas.matches("\\d{1,9}") && queue.minReplicas() > Integer.parseInt(replicas)) {
                findings.add(new Finding(
                        Level.WARN,
                        "Queue '" + queue.name() + "' requires " + queue.minReplicas() + " replica(s), but Redis "
                                + name + " has " + replicas + ": calls will fail with TaskNotReplicatedException.",
                        "Add replicas or lower delayqueue.queues." + queue.name() + ".min-replicas."));
            }
        }
        return findings;
    }

    /** Returns whether a version is too old. A version without numbers is a development build. */
    private static boolean isTooOld(String version) {
        String[] parts = version.split("\\.");
        try {
            int major = Integer.parseInt(parts[0]);
            int minor = (parts.length > 1) ? Integer.parseInt(parts[1]) : 0;
            return major < 6 || (major == 6 && minor < 2);
        } catch (NumberFormatException ex) {
            return false;
        }
    }
}
