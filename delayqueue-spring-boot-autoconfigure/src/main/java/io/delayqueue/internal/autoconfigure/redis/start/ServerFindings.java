// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.internal.autoconfigure.redis.start.RedisServers.RedisServer;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.event.Level;

/** Evaluates the servers' versions, eviction policies, append-only files and numbers of replicas. */
final class ServerFindings {

    private static final String UNLESS_TOLERATED =
            " If losing tasks is acceptable, set delayqueue.redis.check to 'warn' (the default is " + "'fail').";

    private ServerFindings() {}

    static List<Finding> of(RedisServers servers, QueueCatalog queues) {
        if (servers.refusal() != null) {
            return List.of(new Finding(
                    Level.WARN,
                    "This Redis user may not run INFO (" + servers.refusal() + "), so the server could not be checked.",
                    "Make sure that the server is Redis 6.2 or later and that its maxmemory-policy is "
                            + "noeviction; delayqueue.redis.check=off disables this warning and all other checks of "
                            + "Redis."));
        }
        List<Finding> findings = new ArrayList<>();
        for (RedisServer server : servers.all()) {
            addDefects(server, findings);
            addReplicas(server, queues, findings);
        }
        return findings;
    }

    private static void addDefects(RedisServer server, List<Finding> findings) {
        if (isTooOld(String.valueOf(server.version()))) {
            findings.add(new Finding(
                    Level.ERROR,
                    "Redis " + server.name() + " is version " + server.version()
                            + ", but the delay queues need 6.2 or later.",
                    "Use Redis 6.2 or later." + UNLESS_TOLERATED));
        }
        if (evicts(server)) {
            findings.add(new Finding(
                    Level.ERROR,
                    "The maxmemory-policy is '" + server.maxmemoryPolicy() + "' on Redis " + server.name()
                            + ": when its memory is full, it evicts keys, and waiting tasks are lost.",
                    "Set maxmemory-policy to noeviction on the server, or use another server." + UNLESS_TOLERATED));
        }
        if (Boolean.FALSE.equals(server.appendOnly())) {
            findings.add(
                    new Finding(
                            Level.WARN,
                            "Redis " + server.name()
                                    + " keeps no append-only file: a crash loses all tasks since the last "
                                    + "snapshot, if there is one.",
                            "Set appendonly to yes on the server. delayqueue.redis.check=off disables this warning and all other checks of Redis."));
        }
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

    private static boolean evicts(RedisServer server) {
        return server.maxmemoryPolicy() != null && !server.maxmemoryPolicy().equals("noeviction");
    }

    private static void addReplicas(RedisServer server, QueueCatalog queues, List<Finding> findings) {
        Integer connected = server.replicas();
        for (QueueSettings queue : queues.all()) {
            if (connected != null && queue.minReplicas() > connected) {
                findings.add(new Finding(
                        Level.WARN,
                        "Queue '" + queue.name() + "' requires " + queue.minReplicas() + " replica(s), but Redis "
                                + server.name() + " has " + connected
                                + ": calls will fail with TaskNotReplicatedException.",
                        "Add replicas or lower delayqueue.queues." + queue.name() + ".min-replicas."));
            }
        }
    }
}
