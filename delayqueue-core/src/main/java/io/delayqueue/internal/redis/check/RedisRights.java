// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.check;

import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.Script;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rights that the Redis user of this library needs, and no others: the commands that its scripts call, read out of
 * the scripts themselves, those that it sends, and the keys and channels of one prefix. Immutable; safe for use by many
 * threads.
 *
 * <p>To print the command that makes such a user:
 *
 * <pre>{@code
 * java -jar delayqueue-core.jar dq            # one server, Sentinel too
 * java -jar delayqueue-core.jar dq cluster    # each node of a Redis Cluster
 * }</pre>
 */
public final class RedisRights {

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('([A-Z]+)'");
    private static final Set<String> SENT = Set.of("eval", "evalsha", "publish", "subscribe", "unsubscribe", "wait");
    /** The start check. Without it the application starts and warns. */
    private static final String CHECK = "info";
    /** What the driver asks the nodes of a cluster, and says to them while a slot moves. */
    private static final Set<String> SENT_TO_CLUSTER = Set.of("cluster|nodes", "asking");

    private final String prefix;
    private final SortedSet<String> commands;

    private RedisRights(String prefix, SortedSet<String> commands) {
        this.prefix = prefix;
        this.commands = Collections.unmodifiableSortedSet(commands);
    }

    /**
     * The rights on the queues of one prefix.
     *
     * @param keyPrefix {@code delayqueue.key-prefix}
     * @throws IllegalArgumentException if that cannot be a prefix
     */
    public static RedisRights of(String keyPrefix) {
        return new RedisRights(new RedisKeys(keyPrefix).prefix(), ofStandalone());
    }

    /** The rights on the queues of every prefix, for servers that several applications' tests share. */
    public static RedisRights ofEveryPrefix() {
        return new RedisRights("*", ofStandalone());
    }

    private static SortedSet<String> ofStandalone() {
        SortedSet<String> commands = new TreeSet<>(SENT);
        commands.add(CHECK);
        for (Script script : Script.values()) {
            Matcher call = CALL.matcher(new String(script.source(), StandardCharsets.UTF_8));
            while (call.find()) {
                commands.add(call.group(1).toLowerCase(Locale.ROOT));
            }
        }
        return commands;
    }

    /** The same, and what it takes to follow the changes of a Redis Cluster. */
    public RedisRights inCluster() {
        SortedSet<String> more = new TreeSet<>(commands);
        more.addAll(SENT_TO_CLUSTER);
        return new RedisRights(prefix, more);
    }

    /** The commands, as Redis's access lists write them: {@code zadd}, {@code cluster|nodes}. */
    public SortedSet<String> commands() {
        return commands;
    }

    /** The rules for a user that has no rights yet, in the form that Redis 6.2 and later take. */
    public List<String> rules() {
        List<String> rules = new ArrayList<>(List.of(
                "resetkeys",
                "~" + RedisKeys.keyPattern(prefix),
                "resetchannels",
                "&" + RedisKeys.channelPattern(prefix),
                "-@all"));
        commands.forEach(command -> rules.add("+" + command));
        return rules;
    }

    /**
     * A user with these rights and no others, as a line of {@code redis.conf}; after {@code ACL SETUSER} without its
     * first word.
     *
     * @throws IllegalArgumentException if the name or the password is empty, or has a blank, a control character or a
     *     quote: it would be read as more than one word, which might give other rights
     */
    public String user(String name, String password) {
        requireWord("name", name);
        requireWord("password", password);
        return "user " + name + " reset on >" + password + " " + String.join(" ", rules());
    }

    /** The message does not show it: it may be a password. */
    private static void requireWord(String what, String word) {
        if (word.isEmpty() || word.chars().anyMatch(RedisRights::endsWord)) {
            throw new IllegalArgumentException("A Redis user's " + what
                    + " in redis.conf must not be empty, nor have a blank, a control character or a quote");
        }
    }

    private static boolean endsWord(int c) {
        return Character.isWhitespace(c)
                || Character.isSpaceChar(c)
                || Character.isISOControl(c)
                || c == '"'
                || c == '\'';
    }

    /** Prints the command that makes the user; arguments: the key prefix, and {@code cluster} for a Redis Cluster. */
    public static void main(String[] args) {
        RedisRights rights = of(args.length > 0 ? args[0] : "dq");
        if (args.length > 1 && args[1].equals("cluster")) {
            rights = rights.inCluster();
        }
        System.out.println("ACL SETUSER delayqueue reset on >PASSWORD " + String.join(" ", rights.rules()));
    }
}
