// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a Redis master promises about what it has answered, by its own account. Null where it did not say.
 *
 * @param server its address, such as {@code 10.0.0.1:6379}, or its port alone
 * @param appendOnly whether it writes an append-only file
 * @param appendFsync when that file is on disk: {@code always}, {@code everysec} or {@code no}
 * @param save when it takes snapshots, such as {@code 3600 1}; empty: never
 * @param replicas that are connected
 * @param minReplicasToWrite with fewer than these it refuses writes
 * @param maxmemoryPolicy what it does when its memory is full
 */
public record RedisDurability(
        String server,
        @Nullable Boolean appendOnly,
        @Nullable String appendFsync,
        @Nullable String save,
        @Nullable Integer replicas,
        @Nullable Integer minReplicasToWrite,
        @Nullable String maxmemoryPolicy) {

    /** Whether a restart of the server alone may lose more than a second or two of what it has answered. */
    public boolean forgets() {
        return Boolean.FALSE.equals(appendOnly)
                || "no".equals(appendFsync)
                || (maxmemoryPolicy != null && !maxmemoryPolicy.equals("noeviction"));
    }

    /** The settings and what they mean for tasks, in one line. */
    public String describe() {
        List<String> parts = new ArrayList<>();
        parts.add(crash());
        parts.add(failover());
        if (maxmemoryPolicy != null) {
            parts.add("maxmemory-policy " + maxmemoryPolicy + ": "
                    + (maxmemoryPolicy.equals("noeviction")
                            ? "a full server refuses new tasks"
                            : "a full server deletes tasks"));
        }
        return String.join("; ", parts);
    }

    private String crash() {
        if (appendOnly == null) {
            return "it does not say what a crash loses";
        }
        if (!appendOnly) {
            if (save == null) {
                return "appendonly no: a crash loses all that came since the last snapshot, if it takes any";
            }
            return save.isEmpty()
                    ? "appendonly no and no snapshots: a restart loses everything"
                    : "appendonly no: a crash loses all that came since the last snapshot (save " + save + ")";
        }
        return switch (String.valueOf(appendFsync).toLowerCase(Locale.ROOT)) {
            case "always" -> "appendonly yes, appendfsync always: a crash loses nothing that was answered";
            case "everysec" ->
                "appendonly yes, appendfsync everysec: a crash of the machine loses up to a second or two";
            case "no" ->
                "appendonly yes, appendfsync no: a crash of the machine loses what was not on disk yet, half a"
                        + " minute or so";
            default ->
                "appendonly yes: what a crash of the machine loses depends on appendfsync, which it does not say";
        };
    }

    private String failover() {
        if (replicas == null) {
            return "it does not say whether it has replicas";
        }
        if (replicas == 0) {
            return "no replicas: nothing outlives the loss of this machine";
        }
        return replicas + (replicas == 1 ? " replica" : " replicas")
                + (minReplicasToWrite == null ? "" : ", min-replicas-to-write " + minReplicasToWrite)
                + ": a failover loses what a replica had not got, but not what was scheduled with 'replicas'";
    }
}
