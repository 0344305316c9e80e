// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The processes that deliver one queue's tasks, as far as their heartbeats tell, and which of them owns which shard.
 *
 * <p>Rendezvous hashing (David Thaler and Chinya Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", 1998):
 * of all members the one owns a shard whose hash together with it is highest, so all who know the same members agree,
 * and when one comes or goes only its shards change hands. Safe for use by many threads.
 */
public final class LiveMembers {

    private final String self;
    private final LongSupplier nanoTime;
    private final Map<String, Long> expiryNanos = new ConcurrentHashMap<>();

    /** @param self the id of this process, a member for ever */
    public LiveMembers(String self, LongSupplier nanoTime) {
        this.self = self;
        this.nanoTime = nanoTime;
    }

    /** A sign of life. Returns whether the member is new. */
    public boolean alive(String member, long ttlNanos) {
        return !member.equals(self) && expiryNanos.put(member, nanoTime.getAsLong() + ttlNanos) == null;
    }

    /** Returns whether it was a member. */
    boolean gone(String member) {
        return expiryNanos.remove(member) != null;
    }

    /** Forgets those who gave no sign of life in their time. Returns whether there were any. */
    boolean expire() {
        long now = nanoTime.getAsLong();
        return expiryNanos.values().removeIf(expiry -> expiry - now <= 0);
    }

    /** Returns whether no other member is known. */
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

    /** The id of the member that owns a shard; null where there is none. */
    @Nullable
    String ownerOf(int shard, boolean withSelf) {
        String owner = withSelf ? self : null;
        for (String member : expiryNanos.keySet()) {
            if (owner == null || isHigher(member, owner, shard)) {
                owner = member;
            }
        }
        return owner;
    }

    private static boolean isHigher(String member, String than, int shard) {
        int order = Long.compare(score(member, shard), score(than, shard));
        return order > 0 || (order == 0 && member.compareTo(than) > 0);
    }

    /** 64-bit FNV-1a of the member and the shard, finished with the mixer of MurmurHash3. */
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

    /** What a process says to the others of a queue. */
    public record Message(Kind kind, String text) {

        private static final int MAX_ID = 128;
        /** The longest id of a task, with what comes before it. */
        private static final int MAX_OF_TASK = 4_200;

        /** Returns null if it is not one. */
        public static @Nullable Message parse(String message) {
            int colon = message.indexOf(':');
            if (colon < 0) {
                return null;
            }
            for (Kind kind : Kind.values()) {
                if (message.regionMatches(0, kind.word, 0, colon) && kind.word.length() == colon) {
                    int longest = (kind == Kind.END || kind == Kind.ENDED) ? MAX_OF_TASK : MAX_ID;
                    return message.length() > longest ? null : new Message(kind, message.substring(colon + 1));
                }
            }
            return null;
        }

        @Override
        public String toString() {
            return kind.word + ":" + text;
        }
    }

    /** The kinds of message. */
    enum Kind {
        /** A process has come, its id follows; the others answer with {@link #ALIVE}. */
        HELLO("hello"),
        /** A process is still there. */
        ALIVE("alive"),
        /** A process listens, but does not deliver. */
        LISTENS("listens"),
        /** A process that does not deliver asks who does; those who do answer with {@link #ALIVE}. */
        WHO("who"),
        /** A process leaves. */
        BYE("bye"),
        /** The owner of a shard cannot carry what is due; its number and who asks follow. */
        HELP("help"),
        /** A task was cancelled, its id follows: the process that delivers it ends that and answers with {@link #ENDED}. */
        END("end"),
        /** The delivery of a cancelled task has ended; the id of the task follows. */
        ENDED("ended");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** Returns whether a process announces itself by it, and so hears it itself. */
        boolean isHeartbeat() {
            return this == HELLO || this == ALIVE || this == LISTENS || this == WHO;
        }
    }
}
