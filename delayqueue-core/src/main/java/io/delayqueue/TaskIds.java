// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

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

    /** What chooses the shard of the task of this id: what is in braces at its beginning, or else the whole id. */
    public static String shardKeyOf(String id) {
        if (id.isEmpty() || id.charAt(0) != '{') {
            return id;
        }
        int end = id.indexOf('}');
        return end > 1 ? id.substring(1, end) : id;
    }
}
