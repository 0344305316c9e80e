// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.delayqueue.internal.autoconfigure.settings.MadeByBoot;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.ssl.SslBundle;

/** Spring Boot's connection details, if {@code spring-boot-data-redis} is on the class path. */
final class BootRedisDetails {

    private final ConfigurableListableBeanFactory beans;

    BootRedisDetails(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Returns the server from connection details that Spring Boot did not create from properties; {@code null} if there
     * are none.
     */
    @Nullable
    RedisAddress address() {
        DataRedisConnectionDetails details = details();
        if (details == null || isOfProperties()) {
            return null;
        }
        SslBundle bundle = details.getSslBundle();
        DataRedisConnectionDetails.Sentinel sentinel = details.getSentinel();
        DataRedisConnectionDetails.Cluster cluster = details.getCluster();
        DataRedisConnectionDetails.MasterReplica fixed = details.getMasterReplica();
        DataRedisConnectionDetails.Standalone server = details.getStandalone();
        Integer database = (sentinel != null)
                ? Integer.valueOf(sentinel.getDatabase())
                : (server != null) ? Integer.valueOf(server.getDatabase()) : null;
        return new RedisAddress(
                null,
                (server == null) ? null : server.getHost(),
                (server == null) ? null : server.getPort(),
                details.getUsername(),
                details.getPassword(),
                database,
                null,
                new RedisAddress.Ssl(bundle != null, null),
                (sentinel == null)
                        ? null
                        : new RedisAddress.Sentinel(
                                sentinel.getMaster(),
                                texts(sentinel.getNodes()),
                                sentinel.getUsername(),
                                sentinel.getPassword()),
                (cluster == null) ? null : new RedisAddress.Cluster(texts(cluster.getNodes()), null),
                (fixed == null) ? null : new RedisAddress.Masterreplica(texts(fixed.getNodes())));
    }

    private boolean isOfProperties() {
        return Stream.of(beans.getBeanNamesForType(DataRedisConnectionDetails.class, true, false))
                .anyMatch(bean -> MadeByBoot.is(beans, bean, DataRedisAutoConfiguration.class));
    }

    private static List<String> texts(List<Node> nodes) {
        return nodes.stream().map(node -> node.host() + ":" + node.port()).toList();
    }

    /** Returns the current SSL bundle, or {@code null}. */
    @Nullable
    SslBundle bundle() {
        DataRedisConnectionDetails details = details();
        return (details == null) ? null : details.getSslBundle();
    }

    private @Nullable DataRedisConnectionDetails details() {
        return beans.getBeanProvider(DataRedisConnectionDetails.class).getIfAvailable();
    }

    /** Returns whether Spring Boot created this factory from its properties and connection details. */
    boolean isMakerOf(Object factory, List<String> factories) {
        return factories.stream()
                .anyMatch(bean ->
                        MadeByBoot.is(beans, bean, DataRedisAutoConfiguration.class) && beans.getBean(bean) == factory);
    }
}
