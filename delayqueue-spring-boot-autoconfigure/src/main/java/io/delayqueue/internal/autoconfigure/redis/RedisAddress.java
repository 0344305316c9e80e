// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.redis.RedisTarget;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.StringUtils;

/** The address and credentials of a Redis server, from {@code delayqueue.redis} or {@code spring.data.redis}. */
record RedisAddress(
        @Nullable String url,
        @Nullable String host,
        @Nullable Integer port,
        @Nullable String username,
        @Nullable String password,
        @Nullable Integer database,
        @Nullable String clientName,
        @Nullable Ssl ssl,
        @Nullable Sentinel sentinel,
        @Nullable Cluster cluster,
        @Nullable Masterreplica masterreplica) {

    private static final int DEFAULT_PORT = 6379;
    private static final RedisAddress NONE =
            new RedisAddress(null, null, null, null, null, null, null, null, null, null, null);

    record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {}

    record Sentinel(
            @Nullable String master,
            @Nullable List<String> nodes,
            @Nullable String username,
            @Nullable String password) {}

    record Cluster(@Nullable List<String> nodes, @Nullable Integer maxRedirects) {}

    record Masterreplica(@Nullable List<String> nodes) {}

    /** Reads the properties under a prefix. */
    static RedisAddress bind(Binder binder, String prefix) {
        return binder.bind(prefix, RedisAddress.class).orElse(NONE);
    }

    boolean namesServer() {
        return StringUtils.hasText(url)
                || StringUtils.hasText(host)
                || port != null
                || (sentinel != null && (StringUtils.hasText(sentinel.master()) || !isEmpty(sentinel.nodes())))
                || (cluster != null && !isEmpty(cluster.nodes()))
                || (masterreplica != null && !isEmpty(masterreplica.nodes()));
    }

    /** Returns whether a property is set that requires a server. */
    boolean signsIn() {
        return StringUtils.hasText(username)
                || StringUtils.hasText(password)
                || Stream.of(database, ssl, sentinel, cluster).anyMatch(value -> value != null);
    }

    @Nullable
    String bundle() {
        return (ssl != null && StringUtils.hasText(ssl.bundle())) ? ssl.bundle() : null;
    }

    /**
     * Creates the target for the client.
     *
     * @param origin prefix of the properties, or the bean, for messages
     * @param name name of the connections
     * @param bundle called for each encrypted connection
     */
    RedisTarget target(String origin, @Nullable String name, Supplier<@Nullable SslBundle> bundle) {
        if (masterreplica != null && !isEmpty(masterreplica.nodes())) {
            throw fixedReplicas(origin);
        }
        List<RedisURI> addresses = addresses(origin);
        Boolean enabled = (ssl == null) ? null : ssl.enabled();
        boolean encrypted = (enabled != null) ? enabled : bundle() != null || bundle.get() != null;
        for (RedisURI address : addresses) {
            if (!isByUrl()) {
                signIn(address, username, password);
                address.setDatabase(database != null ? database : address.getDatabase());
            }
            address.setClientName(name);
            Stream.concat(Stream.of(address), address.getSentinels().stream())
                    .forEach(uri -> uri.setSsl(encrypted || uri.isSsl()));
        }
        return new RedisTarget(
                addresses, isCluster() && !isSentinel(), options(), null, new BundledCertificates(bundle));
    }

    /** Returns the exception for a configuration with fixed roles of master and replicas. */
    static InvalidDelayQueueSetupException fixedReplicas(String origin) {
        return new InvalidDelayQueueSetupException(
                origin
                        + " has a static master/replica configuration, which the delay queues do not "
                        + "support because it does not follow a failover.",
                "Use Redis Sentinel or Redis Cluster, or set the master in delayqueue.redis.host.");
    }

    /** Returns whether a URL is set. Its user, password and database override separate properties, as in Spring Boot. */
    private boolean isByUrl() {
        return StringUtils.hasText(url) && !isSentinel() && !isCluster();
    }

    private boolean isSentinel() {
        return sentinel != null && !isEmpty(sentinel.nodes());
    }

    private boolean isCluster() {
        return cluster != null && !isEmpty(cluster.nodes());
    }

    private ClientOptions options() {
        return (cluster == null || cluster.maxRedirects() == null)
                ? ClientOptions.create()
                : ClusterClientOptions.builder()
                        .maxRedirects(cluster.maxRedirects())
                        .build();
    }

    private List<RedisURI> addresses(String origin) {
        if (sentinel != null && isSentinel()) {
            if (!StringUtils.hasText(sentinel.master())) {
                throw new InvalidDelayQueueSetupException(
                        origin + " has Sentinels but no master.", "Set sentinel.master in addition to sentinel.nodes.");
            }
            RedisURI.Builder address = RedisURI.builder().withSentinelMasterId(sentinel.master());
            for (RedisURI node : nodes(origin, sentinel.nodes())) {
                signIn(node, sentinel.username(), sentinel.password());
                address.withSentinel(node);
            }
            return List.of(address.build());
        }
        if (cluster != null && isCluster()) {
            return nodes(origin, cluster.nodes());
        }
        if (!isByUrl()) {
            return List.of(RedisURI.create(
                    StringUtils.hasText(host) ? host : "localhost", (port != null) ? port : DEFAULT_PORT));
        }
        try {
            return List.of(RedisURI.create(url));
        } catch (IllegalArgumentException ex) {
            // The message of the cause may contain a password.
            throw new InvalidDelayQueueSetupException(
                    origin + ".url",
                    "The property " + origin + ".url is not an address of a Redis server.",
                    "Write it as redis://user:password@host:port, or rediss:// for TLS.");
        }
    }

    private static List<RedisURI> nodes(String origin, @Nullable List<String> nodes) {
        List<RedisURI> addresses = new ArrayList<>();
        for (String node : (nodes == null) ? List.<String>of() : nodes) {
            int colon = node.lastIndexOf(':');
            String port = node.substring(colon + 1);
            if (colon < 1 || !port.matches("\\d{1,5}")) {
                throw new InvalidDelayQueueSetupException(
                        origin + " has a node that is not in the form host:port.", "Correct the list of nodes.");
            }
            addresses.add(RedisURI.create(node.substring(0, colon), Integer.parseInt(port)));
        }
        return addresses;
    }

    private static void signIn(RedisURI address, @Nullable String user, @Nullable String password) {
        if (!StringUtils.hasText(password)) {
            return;
        }
        if (StringUtils.hasText(user)) {
            address.setAuthentication(user, password.toCharArray());
        } else {
            address.setAuthentication(password.toCharArray());
        }
    }

    private static boolean isEmpty(@Nullable List<String> nodes) {
        return nodes == null || nodes.isEmpty();
    }
}
