// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Optional;

/**
 * Ids of tasks that share a shard. The key that chooses the shard stands in braces at the beginning of the id, as in
 * <code>{customer-7}order-42</code>, so that an id alone tells where its task is: within a queue there is one task of an id,
 * and calls by id find it with one look. The same id under two keys is two ids.
 */
public final class TaskIds {

    private TaskIds() {}

    /**
     * The id of a task that shares a shard with all others of this key: the key in braces, and then {@code id}. One that
     * begins so already is given back as it is.
     *
     * @param shardKey not empty, without a closing brace; that is checked when the task is scheduled
     */
    public static String withShardKey(String shardKey, String id) {
        String prefix = "{" + shardKey + "}";
        return id.startsWith(prefix) ? id : prefix + id;
    }

    /**
     * The id of a task of this group: the group as the shard key in braces, a tilde, and then {@code id}. One that begins so already
     * is given back as it is.
     *
     * @param group not empty, without a closing brace; that is checked when the task is scheduled
     */
    public static String inGroup(String group, String id) {
        String prefix = groupPrefix(group);
        return id.startsWith(prefix) ? id : prefix + id;
    }

    /** The group of the task of this id: what is in braces at its beginning, if a tilde follows. */
    public static Optional<String> groupOf(String id) {
        int end = id.indexOf('}');
        boolean isGrouped = end > 1 && id.charAt(0) == '{' && id.startsWith("~", end + 1);
        return isGrouped ? Optional.of(id.substring(1, end)) : Optional.empty();
    }

    /** With which the ids of a group begin, and no others. */
    public static String groupPrefix(String group) {
        return "{" + group + "}~";
    }

    /** What chooses the shard of the task of this id: what is in braces at its beginning, or else the whole id. */
    public static String shardKeyOf(String id) {
        if (id.isEmpty() || id.charAt(0) != '{') {
            return id;
        }
        int end = id.indexOf('}');
        return end > 1 ? id.substring(1, end) : id;
    }
}
