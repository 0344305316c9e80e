// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.delayqueue.autoconfigure.DelayQueueRedisConnectionDetails;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.redis.RedisTarget;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Finds the Redis server that stores the tasks. Uses the first of these: a server of the test kit, the library's
 * connection details, {@code delayqueue.redis.*}, the named connection factory, the only or primary factory for
 * Lettuce, Boot's connection details, {@code spring.data.redis.*}.
 */
final class ApplicationRedis {

    private static final Logger log = LoggerFactory.getLogger(ApplicationRedis.class);

    static final String OWN = "delayqueue.redis";
    private static final String SHARED = "spring.data.redis";
    private static final List<String> OTHER_CLIENTS = List.of(
            "org.springframework.data.redis.connection.RedisConnectionFactory",
            "org.redisson.api.RedissonClient",
            "redis.clients.jedis.UnifiedJedis",
            "redis.clients.jedis.JedisPool");

    private final ConfigurableListableBeanFactory beans;
    private final Binder binder;
    private final @Nullable String connectionFactory;

    /** @param connectionFactory name or qualifier of a bean, or {@code null} */
    ApplicationRedis(
            ConfigurableListableBeanFactory beans, Environment environment, @Nullable String connectionFactory) {
        this.beans = beans;
        this.binder = Binder.get(environment);
        this.connectionFactory = connectionFactory;
    }

    /**
     * Searches the application's beans and properties.
     *
     * @throws InvalidDelayQueueSetupException if the server is ambiguous or missing
     */
    RedisTarget target() {
        RedisTarget ofTest = beans.getBeanProvider(RedisTarget.class).getIfAvailable();
        if (ofTest != null) {
            return ofTest;
        }
        RedisAddress own = RedisAddress.bind(binder, OWN);
        RedisAddress shared = RedisAddress.bind(binder, SHARED);
        String clientName = (own.clientName() != null) ? own.clientName() : shared.clientName();
        DelayQueueRedisConnectionDetails details =
                beans.getBeanProvider(DelayQueueRedisConnectionDetails.class).getIfAvailable();
        if (details != null) {
            return address(details)
                    .target("The bean of type DelayQueueRedisConnectionDetails", clientName, details::getSslBundle);
        }
        if (own.namesServer()) {
            if (connectionFactory != null) {
                throw new InvalidDelayQueueSetupException(
                        OWN + ".connection-factory",
                        OWN + ".connection-factory selects a server, but other properties under " + OWN
                                + " name one as well.",
                        "Remove one of them.");
            }
            return own.target(OWN, clientName, bundle(own));
        }
        if (own.signsIn()) {
            throw new InvalidDelayQueueSetupException(
                    OWN + ".host",
                    "Properties under " + OWN + " contain credentials or options, but no server.",
                    "Set " + OWN + ".host or " + OWN
                            + ".url, or remove username, password, database, ssl, sentinel and cluster under it.");
        }
        RedisTarget ofApplication = ofApplication(own.clientName(), clientName);
        if (ofApplication != null) {
            return ofApplication;
        }
        if (!shared.namesServer()) {
            refuseBesideOtherClients();
            log.info(
                    "No Redis server is configured, so the delay queues use localhost:6379; set {}.host or "
                            + "{}.host to use another",
                    OWN,
                    SHARED);
        }
        return shared.target(SHARED, clientName, bundle(shared));
    }

    private @Nullable RedisTarget ofApplication(@Nullable String ownClientName, @Nullable String clientName) {
        if (isPresent("org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory")) {
            RedisTarget target = new SpringDataRedis(beans).target(connectionFactory);
            if (target != null) {
                if (ownClientName != null) {
                    target.addresses().forEach(address -> address.setClientName(ownClientName));
                }
                return target;
            }
        } else if (connectionFactory != null) {
            throw new InvalidDelayQueueSetupException(
                    OWN + ".connection-factory",
                    OWN + ".connection-factory names a bean, but Spring Data Redis is not on the class path.",
                    "Remove the property and set the server in " + OWN + ".host or " + OWN + ".url.");
        }
        return isPresent("org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails")
                ? BootRedisDetails.target(beans, clientName)
                : null;
    }

    private static RedisAddress address(DelayQueueRedisConnectionDetails details) {
        if (details.getNodes().isEmpty()) {
            throw new InvalidDelayQueueSetupException(
                    "The bean of type DelayQueueRedisConnectionDetails has no node.",
                    "Return at least one node from getNodes().");
        }
        List<String> nodes = details.getNodes().stream()
                .map(node -> node.host() + ":" + node.port())
                .toList();
        DelayQueueRedisConnectionDetails.Node first = details.getNodes().get(0);
        String master = details.getSentinelMaster();
        return new RedisAddress(
                null,
                first.host(),
                first.port(),
                details.getUsername(),
                details.getPassword(),
                details.getDatabase(),
                null,
                null,
                (master == null)
                        ? null
                        : new RedisAddress.Sentinel(
                                master, nodes, details.getSentinelUsername(), details.getSentinelPassword()),
                details.isCluster() ? new RedisAddress.Cluster(nodes, null) : null,
                null);
    }

    private Supplier<@Nullable SslBundle> bundle(RedisAddress address) {
        String name = address.bundle();
        return (name == null)
                ? () -> null
                : () -> beans.getBean(SslBundles.class).getBundle(name);
    }

    /**
     * Fails if the application has other Redis clients. Their servers may be configured elsewhere, for example in a
     * Redisson file.
     */
    private void refuseBesideOtherClients() {
        List<String> clients = OTHER_CLIENTS.stream()
                .filter(this::isPresent)
                .flatMap(type -> Stream.of(beans.getBeanNamesForType(
                        ClassUtils.resolveClassName(type, beans.getBeanClassLoader()), true, false)))
                .distinct()
                .toList();
        if (!clients.isEmpty()) {
            throw new InvalidDelayQueueSetupException(
                    OWN + ".host",
                    "No Redis server is configured for the delay queues. The application has a Redis "
                            + "client other than Lettuce (" + String.join(", ", clients)
                            + "), but the delay queues cannot read its servers.",
                    "Set " + OWN + ".host or " + OWN + ".url.");
        }
    }

    private boolean isPresent(String type) {
        return ClassUtils.isPresent(type, beans.getBeanClassLoader());
    }
}
