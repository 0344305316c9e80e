// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.queue.Bound;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Over how many shards a queue is spread, and over how many it was before, as long as tasks may still be where those
 * put them. Immutable. Of two layouts of a queue the one with the higher epoch is in force.
 *
 * @param epoch grows with every change; 1 for one that was never changed, 0 for one that has not been read yet
 * @param shards the number of shards, 1 to {@link #MOST_SHARDS}
 * @param configured the configured number that the last change by configuration came from
 * @param older earlier numbers of shards from which tasks may still have to migrate, oldest first; at most
 *     {@link #MOST_OLDER}
 */
public record QueueLayout(long epoch, int shards, int configured, List<Integer> older) {

    /** The most shards of a queue. */
    public static final int MOST_SHARDS = Bound.SHARDS.most();

    /** The most changes that may be under way at a time. */
    public static final int MOST_OLDER = 8;

    private static final Pattern FIRST_VERSION = Pattern.compile("1:(\\d{1,9})");
    private static final Pattern VERSION = Pattern.compile("2:(\\d{1,15}):(\\d{1,9}):(\\d{1,9}):([\\d,]{0,99})");

    public QueueLayout {
        require(epoch >= 0, "the epoch is " + epoch);
        require(shards >= 1 && shards <= MOST_SHARDS, "the number of shards is " + shards);
        older = List.copyOf(older);
        require(older.size() <= MOST_OLDER, "there are " + older.size() + " older numbers of shards");
        require(older.stream().allMatch(n -> n >= 1 && n <= MOST_SHARDS), "an older number of shards is out of range");
    }

    /** What goes until the recorded one has been read. */
    public static QueueLayout unknown(int shards) {
        return new QueueLayout(0, shards, shards, List.of());
    }

    /** One that was never changed. */
    public static QueueLayout initial(int shards) {
        return new QueueLayout(1, shards, shards, List.of());
    }

    /**
     * Reads the stored form: {@code 2:<epoch>:<shards>:<configured>:<older, comma between>}, or {@code 1:<shards>} of
     * the first version.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static QueueLayout parse(String text) {
        Matcher first = FIRST_VERSION.matcher(text);
        if (first.matches()) {
            return initial(Integer.parseInt(first.group(1)));
        }
        Matcher second = VERSION.matcher(text);
        require(second.matches(), "it is '" + PrintableText.of(text, 60) + "'");
        List<Integer> older = second.group(4).isEmpty()
                ? List.of()
                : Arrays.stream(second.group(4).split(",", -1))
                        .map(Integer::valueOf)
                        .toList();
        return new QueueLayout(
                Long.parseLong(second.group(1)),
                Integer.parseInt(second.group(2)),
                Integer.parseInt(second.group(3)),
                older);
    }

    /**
     * Reads what is recorded for a queue.
     *
     * @throws TaskStoreCorruptException if the text is no layout that this version knows
     */
    public static QueueLayout parse(String queue, String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException ex) {
            throw new TaskStoreCorruptException(
                    "Queue '" + queue + "': its layout is recorded as '" + PrintableText.of(text, 60)
                            + "', which this version cannot read; use the version that wrote it",
                    false,
                    ex);
        }
    }

    /** The stored form, version 2. */
    public String format() {
        return "2:" + epoch + ":" + change();
    }

    /** What a call says that goes by this layout. */
    public LayoutVersion version() {
        return new LayoutVersion(format());
    }

    /** The stored form without version and epoch. */
    String change() {
        return shards + ":" + configured + ":"
                + older.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Whether this is only what goes until the recorded one has been read; no task may be placed by it. */
    public boolean isUnknown() {
        return epoch == 0;
    }

    /** Whether tasks may still be where an older layout put them. */
    public boolean isTransition() {
        return !older.isEmpty();
    }

    /** The shard that is to hold the tasks of a shard key. */
    public int homeOf(String shardKey) {
        return ShardRouter.shardOf(shardKey, shards);
    }

    /**
     * The shards that may hold the tasks of a shard key, in the order in which they have to be asked: tasks migrate
     * from earlier ones to the last. A shard may come twice, but not next to itself.
     */
    public List<Integer> homesOf(String shardKey) {
        if (older.isEmpty()) {
            return List.of(homeOf(shardKey));
        }
        List<Integer> homes = new ArrayList<>(older.size() + 1);
        for (int count : older) {
            addUnlessLast(homes, ShardRouter.shardOf(shardKey, count));
        }
        addUnlessLast(homes, homeOf(shardKey));
        return List.copyOf(homes);
    }

    private static void addUnlessLast(List<Integer> homes, int home) {
        if (homes.isEmpty() || homes.get(homes.size() - 1) != home) {
            homes.add(home);
        }
    }

    /** All numbers of shards, in the order in which they have to be asked: the older ones, then the one in force. */
    List<Integer> counts() {
        List<Integer> counts = new ArrayList<>(older);
        counts.add(shards);
        return List.copyOf(counts);
    }

    /** Shards 0 to this less 1 may hold tasks. */
    public int span() {
        int span = shards;
        for (int count : older) {
            span = Math.max(span, count);
        }
        return span;
    }

    /**
     * The next layout, with this one's number of shards as an older one where it differs. The store gives it its epoch.
     */
    QueueLayout resizedTo(int newShards, int newConfigured) {
        List<Integer> before = new ArrayList<>(older);
        if (newShards != shards) {
            before.add(shards);
        }
        return new QueueLayout(epoch, newShards, newConfigured, before);
    }

    /** The next layout, for when no task is away from its home any more. The store gives it its epoch. */
    QueueLayout settled() {
        return new QueueLayout(epoch, shards, configured, List.of());
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalArgumentException("No layout of a queue: " + what);
        }
    }
}
