// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Details of the Redis that keeps the tasks: one server, the Sentinels of a master, or a cluster. A bean of this type
 * takes precedence over the properties {@code delayqueue.redis.*} and over all that the application has for Redis.
 */
public interface DelayQueueRedisConnectionDetails extends ConnectionDetails {

    /** Returns the server, the Sentinels, or nodes of the cluster. At least one. */
    List<Node> getNodes();

    /** Returns whether the nodes are those of a cluster. */
    default boolean isCluster() {
        return false;
    }

    /** Returns the name by which Sentinels know the master, or {@code null} if the nodes are no Sentinels. */
    default @Nullable String getSentinelMaster() {
        return null;
    }

    /** Returns the user name at the Sentinels. */
    default @Nullable String getSentinelUsername() {
        return null;
    }

    /** Returns the password at the Sentinels. */
    default @Nullable String getSentinelPassword() {
        return null;
    }

    /** Returns the user name at the servers that keep the tasks. */
    default @Nullable String getUsername() {
        return null;
    }

    /** Returns the password at the servers that keep the tasks. */
    default @Nullable String getPassword() {
        return null;
    }

    /** Returns the number of the database; a cluster has only 0. */
    default int getDatabase() {
        return 0;
    }

    /** Returns the bundle for encrypted connections, or {@code null} for plain ones. Called for each connection. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }

    /** An address. */
    record Node(String host, int port) {}
}
