// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Connection details of the Redis servers that store the tasks: a single server, the Sentinels of a master, or a
 * cluster. A bean of this type takes precedence over the properties {@code delayqueue.redis.*} and the application's
 * own Redis configuration.
 */
public interface DelayQueueRedisConnectionDetails extends ConnectionDetails {

    /** Returns the server, the Sentinels, or nodes of the cluster. Never empty. */
    List<Node> getNodes();

    /** Returns whether the nodes belong to a cluster. */
    default boolean isCluster() {
        return false;
    }

    /**
     * Returns the name under which the Sentinels monitor the master, or {@code null} if the nodes are not Sentinels.
     */
    default @Nullable String getSentinelMaster() {
        return null;
    }

    /** Returns the user name for the Sentinels. */
    default @Nullable String getSentinelUsername() {
        return null;
    }

    /** Returns the password for the Sentinels. */
    default @Nullable String getSentinelPassword() {
        return null;
    }

    /** Returns the user name for the servers that store the tasks. */
    default @Nullable String getUsername() {
        return null;
    }

    /** Returns the password for the servers that store the tasks. */
    default @Nullable String getPassword() {
        return null;
    }

    /** Returns the database number; a cluster has only database 0. */
    default int getDatabase() {
        return 0;
    }

    /** Returns the SSL bundle, or {@code null} for unencrypted connections. Called for each connection. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }

    /** An address. */
    record Node(String host, int port) {}
}
