// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.delayqueue.internal.autoconfigure.settings.MadeByBoot;
import io.delayqueue.internal.redis.RedisTarget;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Cluster;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.MasterReplica;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;

/** The server of Spring Boot's connection details, if {@code spring-boot-data-redis} is on the class path. */
final class BootRedisDetails {

    private BootRedisDetails() {}

    /** Returns the server, or {@code null} if there are no details or Spring Boot created them from properties. */
    static @Nullable RedisTarget target(ConfigurableListableBeanFactory beans, @Nullable String clientName) {
        DataRedisConnectionDetails details =
                beans.getBeanProvider(DataRedisConnectionDetails.class).getIfAvailable();
        if (details == null || areOfProperties(beans)) {
            return null;
        }
        Sentinel sentinel = details.getSentinel();
        Cluster cluster = details.getCluster();
        MasterReplica fixed = details.getMasterReplica();
        Standalone server = details.getStandalone();
        Integer database = (server != null) ? Integer.valueOf(server.getDatabase()) : null;
        return new RedisAddress(
                        null,
                        (server == null) ? null : server.getHost(),
                        (server == null) ? null : server.getPort(),
                        details.getUsername(),
                        details.getPassword(),
                        (sentinel != null) ? Integer.valueOf(sentinel.getDatabase()) : database,
                        null,
                        null,
                        (sentinel == null)
                                ? null
                                : new RedisAddress.Sentinel(
                                        sentinel.getMaster(),
                                        texts(sentinel.getNodes()),
                                        sentinel.getUsername(),
                                        sentinel.getPassword()),
                        (cluster == null) ? null : new RedisAddress.Cluster(texts(cluster.getNodes()), null),
                        (fixed == null) ? null : new RedisAddress.Masterreplica(texts(fixed.getNodes())))
                .target("The bean of type DataRedisConnectionDetails", clientName, details::getSslBundle);
    }

    private static boolean areOfProperties(ConfigurableListableBeanFactory beans) {
        return Stream.of(beans.getBeanNamesForType(DataRedisConnectionDetails.class, true, false))
                .anyMatch(bean -> MadeByBoot.is(beans, bean, SpringDataRedis.BOOT));
    }

    private static List<String> texts(List<Node> nodes) {
        return nodes.stream().map(node -> node.host() + ":" + node.port()).toList();
    }
}
