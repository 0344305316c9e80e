// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The processes that deliver one queue's tasks, according to their heartbeats, and the owner of each shard.
 *
 * <p>Uses rendezvous hashing (David Thaler and Chinya Ravishankar, "Using Name-Based Mappings to Increase Hit Rates",
 * 1998): a shard belongs to the member whose hash for it is highest. All processes that know the same members therefore
 * agree on the owners, and when a member joins or leaves, only its own shards change owners. Thread-safe.
 */
public final class LiveMembers {

    private final String self;
    private final LongSupplier nanoTime;
    private final Map<String, Long> expiryNanos = new ConcurrentHashMap<>();

    /** @param self id of this process, a permanent member */
    public LiveMembers(String self, LongSupplier nanoTime) {
        this.self = self;
        this.nanoTime = nanoTime;
    }

    /** Records a heartbeat. Returns whether the member is new. */
    public boolean alive(String member, long ttlNanos) {
        return !member.equals(self) && expiryNanos.put(member, nanoTime.getAsLong() + ttlNanos) == null;
    }

    boolean gone(String member) {
        return expiryNanos.remove(member) != null;
    }

    /** Removes members without a recent heartbeat. Returns whether there were any. */
    boolean expire() {
        long now = nanoTime.getAsLong();
        return expiryNanos.values().removeIf(expiry -> expiry - now <= 0);
    }

    boolean isAlone() {
        return expiryNanos.isEmpty();
    }

    public boolean owns(int shard) {
        for (String member : expiryNanos.keySet()) {
            if (isHigher(member, self, shard)) {
                return false;
            }
        }
        return true;
    }

    /** Returns how many members precede this process as owner of a shard. */
    int place(int shard) {
        return (int) expiryNanos.keySet().stream()
                .filter(member -> isHigher(member, self, shard))
                .count();
    }

    private static boolean isHigher(String member, String than, int shard) {
        int order = Long.compare(score(member, shard), score(than, shard));
        return order > 0 || (order == 0 && member.compareTo(than) > 0);
    }

    /** Returns the 64-bit FNV-1a hash of the member and the shard, finished with the mixer of MurmurHash3. */
    private static long score(String member, int shard) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < member.length(); i++) {
            hash = (hash ^ member.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ shard) * 0x100000001b3L;
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }

    public record Message(Kind kind, String text) {

        private static final int MAX_ID = 128;
        /** The maximum length of a message with a task id. */
        private static final int MAX_OF_TASK = 4_200;

        /** Parses a message; returns null if the text is not a message. */
        public static @Nullable Message parse(String message) {
            for (Kind kind : Kind.values()) {
                String start = kind.word() + ":";
                if (message.startsWith(start)) {
                    int longest = (kind == Kind.END || kind == Kind.ENDED) ? MAX_OF_TASK : MAX_ID;
                    return message.length() > longest ? null : new Message(kind, message.substring(start.length()));
                }
            }
            return null;
        }

        @Override
        public String toString() {
            return kind.word() + ":" + text;
        }
    }

    /** The kinds of message. */
    enum Kind {
        /** A process has joined; its id follows. The others reply with {@link #ALIVE}. */
        HELLO,
        /** A process is alive. */
        ALIVE,
        /** A process listens but does not deliver. */
        LISTENS,
        /** A process is leaving. */
        BYE,
        /** The owner of a shard cannot acquire all due tasks; the number of the shard and the sender follow. */
        HELP,
        /**
         * A task was cancelled; a name of this request and the id of the task follow. The process that delivers it
         * ends the delivery and replies with {@link #ENDED}.
         */
        END,
        /** The delivery of a cancelled task has ended; the text of the {@link #END} follows. */
        ENDED;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns whether this message is a heartbeat, which its sender also expects to receive. */
        boolean isHeartbeat() {
            return this == HELLO || this == ALIVE || this == LISTENS;
        }
    }
}
