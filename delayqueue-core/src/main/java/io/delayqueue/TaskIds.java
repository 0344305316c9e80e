// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Full ids of tasks. The id in Redis consists of the key and the group of the task and its own id:
 * <pre>
 * reminder                                no key, no group
 * {appointment-9}~reminder                a group
 * {clinic-17}:reminder                    a key
 * {clinic-17}:{appointment-9}~reminder    a key and a group
 * </pre>
 *
 * <p>A {@code %} or a closing brace in a key or a group becomes {@code %25} or {@code %7D}. Every call that accepts an
 * id accepts a full id. An id that starts like one of these belongs to that key and group.
 */
public final class TaskIds {

    private static final Pattern PARTS = Pattern.compile("(?:\\{([^}]+)}:)?(?:\\{([^}]+)}~)?.*", Pattern.DOTALL);

    private TaskIds() {}

    /**
     * Returns the full id of a task. Returns an id unchanged if it already starts with this key and group.
     *
     * @throws InvalidTaskException if the key or the group is empty
     */
    public static String of(@Nullable String key, @Nullable String group, String id) {
        String prefix =
                (key == null ? "" : keyPrefix(key)) + (group == null ? "" : "{" + encoded("group", group) + "}~");
        return id.startsWith(prefix) ? id : prefix + id;
    }

    /**
     * Returns the full id of a task in this group that has no key.
     *
     * @throws InvalidTaskException if the group is empty
     */
    public static String inGroup(String group, String id) {
        return of(null, group, id);
    }

    /** Returns the key in a full id, if any. */
    public static Optional<String> keyOf(String id) {
        return part(id, 1);
    }

    /** Returns the group in a full id, if any. */
    public static Optional<String> groupOf(String id) {
        return part(id, 2);
    }

    /**
     * Returns the prefix that the full ids of all tasks of this key have, and no other ids.
     *
     * @throws InvalidTaskException if the key is empty
     */
    public static String keyPrefix(String key) {
        return "{" + encoded("key", key) + "}:";
    }

    /**
     * Returns the prefix that the full ids of all tasks of this group have, and no other ids.
     *
     * @param key the key of these tasks; null for tasks without a key
     * @throws InvalidTaskException if the key or the group is empty
     */
    public static String groupPrefix(@Nullable String key, String group) {
        return of(key, group, "");
    }

    /** Returns the prefix of the full ids in this task's group, if the id contains a group. */
    public static Optional<String> groupPrefixOf(String id) {
        if (!isBraced(id)) {
            return Optional.empty();
        }
        Matcher parts = parts(id);
        return parts.group(2) == null ? Optional.empty() : Optional.of(id.substring(0, parts.end(2) + 2));
    }

    /** Returns the string that determines the shard of a task: its key, otherwise its group, otherwise its id. */
    public static String homeOf(String id) {
        if (!isBraced(id)) {
            return id;
        }
        Matcher parts = parts(id);
        String key = parts.group(1);
        String group = parts.group(2);
        return key != null ? key : group != null ? group : id;
    }

    private static Optional<String> part(String id, int number) {
        return isBraced(id) ? Optional.ofNullable(parts(id).group(number)).map(TaskIds::decoded) : Optional.empty();
    }

    private static boolean isBraced(String id) {
        return !id.isEmpty() && id.charAt(0) == '{';
    }

    private static Matcher parts(String id) {
        Matcher parts = PARTS.matcher(id);
        if (!parts.matches()) {
            throw new AssertionError("Every text matches");
        }
        return parts;
    }

    private static String encoded(String what, String name) {
        if (name.isEmpty()) {
            throw new InvalidTaskException("The " + what + " of a task is empty; name one, or leave it out");
        }
        return name.replace("%", "%25").replace("}", "%7D");
    }

    private static String decoded(String name) {
        return name.replace("%7D", "}").replace("%25", "%");
    }
}
