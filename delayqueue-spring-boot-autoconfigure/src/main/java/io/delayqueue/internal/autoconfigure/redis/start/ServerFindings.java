// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.internal.autoconfigure.redis.start.RedisServers.RedisServer;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.event.Level;

/** Evaluates the servers' versions, eviction policies, and possible losses in a crash or failover. */
final class ServerFindings {

    private static final String UNLESS_TOLERATED =
            " If losing tasks is acceptable, set delayqueue.redis.check to 'warn' (the default is " + "'fail').";

    private ServerFindings() {}

    /** @param report whether to include the guarantees of each server, in addition to problems */
    static List<Finding> of(RedisServers servers, QueueCatalog queues, boolean report) {
        if (servers.refusal() != null) {
            return List.of(new Finding(
                    Level.WARN,
                    "This Redis user may not run INFO (" + servers.refusal() + "), so the server could not be checked.",
                    "Make sure that it is Redis 6.2 or later and that its maxmemory-policy is "
                            + "noeviction; delayqueue.redis.check=off disables this warning."));
        }
        List<Finding> findings = new ArrayList<>();
        for (RedisServer server : servers.all()) {
            addDefects(server, findings);
            if (report) {
                addPromises(server, queues, findings);
            }
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
                            + ": when its memory is full, it deletes keys and with them waiting tasks.",
                    "Set maxmemory-policy to noeviction on the server, or use another server." + UNLESS_TOLERATED));
        }
    }

    /** A version that is not a number belongs to a development build. */
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

    private static void addPromises(RedisServer server, QueueCatalog queues, List<Finding> findings) {
        if (server.configRefusal() != null) {
            findings.add(new Finding(
                    Level.INFO,
                    "This Redis user may not run CONFIG GET (" + server.configRefusal()
                            + "), so some of the server's guarantees are unknown; "
                            + "delayqueue.redis.report=false disables this message.",
                    ""));
        }
        boolean forgets = Boolean.FALSE.equals(server.appendOnly()) || "no".equals(server.appendFsync());
        findings.add(new Finding(
                forgets || evicts(server) ? Level.WARN : Level.INFO,
                "Redis " + server.name() + ": " + crash(server) + "; " + failover(server) + memory(server),
                ""));
        for (QueueSettings queue : queues.all()) {
            Integer connected = server.replicas();
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

    private static String crash(RedisServer server) {
        if (server.appendOnly() == null) {
            return "it does not report what a crash loses";
        }
        if (!server.appendOnly()) {
            if (server.save() == null) {
                return "appendonly no: a crash loses everything since the last snapshot, if there is one";
            }
            return server.save().isEmpty()
                    ? "appendonly no and no snapshots: a restart loses everything"
                    : "appendonly no: a crash loses everything since the last snapshot (save " + server.save() + ")";
        }
        return switch (String.valueOf(server.appendFsync()).toLowerCase(Locale.ROOT)) {
            case "always" -> "appendonly yes, appendfsync always: a crash loses no acknowledged write";
            case "everysec" ->
                "appendonly yes, appendfsync everysec: a crash of the machine loses up to a second or two";
            case "no" ->
                "appendonly yes, appendfsync no: a crash of the machine loses what was not yet on "
                        + "disk, about half a minute";
            default ->
                "appendonly yes: what a crash of the machine loses depends on appendfsync, which it "
                        + "does not report";
        };
    }

    private static String failover(RedisServer server) {
        if (server.replicas() == null) {
            return "it does not report its replicas";
        }
        if (server.replicas() == 0) {
            return "no replicas: everything is lost with this machine";
        }
        return server.replicas() + (server.replicas() == 1 ? " replica" : " replicas")
                + (server.minReplicasToWrite() == null ? "" : ", min-replicas-to-write " + server.minReplicasToWrite())
                + ": a failover loses what a replica had not received, except tasks scheduled with "
                + "'min-replicas'";
    }

    private static String memory(RedisServer server) {
        if (server.maxmemoryPolicy() == null) {
            return "";
        }
        return "; maxmemory-policy " + server.maxmemoryPolicy() + ": "
                + (evicts(server) ? "a full server deletes tasks" : "a full server refuses new tasks");
    }
}
