// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.rights;

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
 * The permissions that the Redis user of this library needs, and no others: the commands that the library sends or its
 * scripts call, and the keys and channels of one prefix. Immutable and thread-safe.
 *
 * <p>To print the command that creates such a user:
 * <pre>{@code
 * java -jar delayqueue-core.jar dq            # one server or Sentinel
 * java -jar delayqueue-core.jar dq cluster    # each node of a Redis Cluster
 * }</pre>
 *
 * @param prefix the prefix of the keys and channels; {@code *} for every prefix
 * @param commands the commands in the syntax of Redis ACLs: {@code zadd}, {@code cluster|nodes}
 */
public record RedisRights(String prefix, SortedSet<String> commands) {

    private static final Pattern CALL = Pattern.compile("(?:redis\\.p?call|send)\\('([A-Z]+)'");
    private static final Set<String> SENT = Set.of("eval", "evalsha", "publish", "subscribe", "unsubscribe", "wait");
    /** The startup check uses this command. Without the permission, the application starts with a warning. */
    private static final String CHECK = "info";
    /** Commands that the driver sends to the nodes of a cluster, including during the migration of a slot. */
    private static final Set<String> SENT_TO_CLUSTER = Set.of("cluster|nodes", "asking");

    public RedisRights {
        commands = Collections.unmodifiableSortedSet(commands);
    }

    /**
     * Returns the permissions for the queues of one prefix.
     *
     * @param keyPrefix {@code delayqueue.key-prefix}
     * @throws IllegalArgumentException if the prefix is invalid
     */
    public static RedisRights of(String keyPrefix) {
        return new RedisRights(new RedisKeys(keyPrefix).prefix(), ofStandalone());
    }

    /**
     * Returns the permissions for the queues of every prefix. Use it for servers that the tests of several applications
     * share.
     */
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

    /** Adds the permissions for following the changes of a Redis Cluster. */
    public RedisRights inCluster() {
        SortedSet<String> more = new TreeSet<>(commands);
        more.addAll(SENT_TO_CLUSTER);
        return new RedisRights(prefix, more);
    }

    /** Returns the rules for a user without other permissions, in the syntax of Redis 6.2 and later. */
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
     * Returns a line of {@code redis.conf} that creates a user with exactly these permissions. Without its first word,
     * the line contains the arguments of {@code ACL SETUSER}.
     *
     * @param name name of the user, without quotes; the same applies to the password
     */
    public String user(String name, String password) {
        return "user " + name + " reset on >" + password + " " + String.join(" ", rules());
    }

    /**
     * Prints the command that creates the user. The arguments are the key prefix and, for a Redis Cluster, {@code
     * cluster}.
     */
    public static void main(String[] args) {
        RedisRights rights = of(args.length > 0 ? args[0] : "dq");
        if (args.length > 1 && args[1].equals("cluster")) {
            rights = rights.inCluster();
        }
        System.out.println("ACL SETUSER delayqueue reset on >PASSWORD " + String.join(" ", rights.rules()));
    }
}
