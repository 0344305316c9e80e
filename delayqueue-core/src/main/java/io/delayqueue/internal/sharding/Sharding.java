// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.internal.input.Bound;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.store.ShardingVersion;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The number of shards of a queue and, while its tasks migrate, the earlier number. Of two shardings, the one with the
 * higher epoch is current. Immutable.
 *
 * @param epoch grows with every change; 1 for a sharding that never changed, 0 until the recorded sharding has been
 *     read
 * @param shards number of shards, 1 to {@link #MOST_SHARDS}
 * @param configured the configured number of the last change by configuration
 * @param earlier the number of shards from which tasks migrate; 0 if every task is in its shard
 */
public record Sharding(long epoch, int shards, int configured, int earlier) {

    public static final int MOST_SHARDS = Bound.SHARDS.most();

    private static final Pattern FORM = Pattern.compile("1:(\\d{1,15}):(\\d{1,9}):(\\d{1,9}):(\\d{1,9})");

    public Sharding {
        require(epoch >= 0, "the epoch is " + epoch);
        require(shards >= 1 && shards <= MOST_SHARDS, "the number of shards is " + shards);
        require(
                earlier >= 0 && earlier <= MOST_SHARDS && earlier != shards,
                "the earlier number of shards is " + earlier);
    }

    /** Returns the sharding to use until the recorded one has been read. */
    public static Sharding unknown(int shards) {
        return new Sharding(0, shards, shards, 0);
    }

    /** Returns a sharding that never changed. */
    public static Sharding initial(int shards) {
        return new Sharding(1, shards, shards, 0);
    }

    /**
     * Parses the stored form, {@code 1:<epoch>:<shards>:<configured>:<earlier>}.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static Sharding parse(String text) {
        Matcher form = FORM.matcher(text);
        require(form.matches(), "it is '" + PrintableText.of(text, 60) + "'");
        return new Sharding(
                Long.parseLong(form.group(1)),
                Integer.parseInt(form.group(2)),
                Integer.parseInt(form.group(3)),
                Integer.parseInt(form.group(4)));
    }

    /**
     * Parses the recorded sharding of a queue.
     *
     * @throws TaskStoreCorruptException if this version cannot read it
     */
    public static Sharding parse(String queue, String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException ex) {
            throw new TaskStoreCorruptException(
                    "Queue '" + queue + "': its sharding is recorded as '" + PrintableText.of(text, 60)
                            + "', which this version cannot read; use the version that wrote it",
                    false,
                    ex);
        }
    }

    public String format() {
        return "1:" + epoch + ":" + change();
    }

    /** Returns the stored form that calls pass to a shard. */
    public ShardingVersion version() {
        return new ShardingVersion(format());
    }

    /** Returns the stored form without version and epoch. */
    String change() {
        return shards + ":" + configured + ":" + earlier;
    }

    /** Returns whether this is a placeholder until the recorded sharding has been read. It must not place tasks. */
    public boolean isUnknown() {
        return epoch == 0;
    }

    /** Returns whether tasks may still be in the shards of the earlier number. */
    public boolean isMigrating() {
        return earlier > 0;
    }

    public int homeOf(String id) {
        return ShardRouter.shardOf(id, shards);
    }

    /** Returns the shards that may hold a task, in the order of calls: tasks migrate to the last shard. */
    public List<Integer> homesOf(String id) {
        int home = homeOf(id);
        if (!isMigrating()) {
            return List.of(home);
        }
        int before = ShardRouter.shardOf(id, earlier);
        return (before == home) ? List.of(home) : List.of(before, home);
    }

    /** Returns the numbers of shards that may determine the home of a task, in the order of calls. */
    List<Integer> counts() {
        return isMigrating() ? List.of(earlier, shards) : List.of(shards);
    }

    /** Returns the number of shards that may hold tasks, starting at 0. */
    public int span() {
        return Math.max(shards, earlier);
    }

    /**
     * Returns whether the number of shards may change to this one. While tasks migrate, only the earlier number is
     * allowed.
     */
    boolean canBecome(int newShards) {
        return !isMigrating() || newShards == shards || newShards == earlier;
    }

    /** Returns the sharding after a change of the number of shards. The store assigns its epoch. */
    Sharding reshardedTo(int newShards, int newConfigured) {
        return new Sharding(epoch, newShards, newConfigured, newShards == shards ? earlier : shards);
    }

    /**
     * Returns this sharding with tasks that migrate from all shards of both, after Redis has gone back to an older one.
     */
    Sharding covering(Sharding older) {
        int from = IntStream.of(earlier, older.shards, older.earlier)
                .filter(count -> count != shards)
                .max()
                .orElse(0);
        return new Sharding(epoch, shards, configured, from);
    }

    /** Returns the sharding for the end of the migration. The store assigns its epoch. */
    Sharding settled() {
        return new Sharding(epoch, shards, configured, 0);
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalArgumentException("Invalid sharding of a queue: " + what);
        }
    }
}
