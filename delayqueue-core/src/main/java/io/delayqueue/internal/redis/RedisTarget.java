// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.netty.handler.ssl.SslContextBuilder;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The servers that store the tasks, and the credentials for them.
 *
 * @param addresses one address of a server or of the Sentinels of a master, or one or more nodes of a cluster. They
 *     include credentials, TLS, database and client name. {@link RedisConnections} changes their time-outs and client
 *     names.
 * @param options base options for the client, for example the protocol version and socket options
 * @param resources resources of another client, whose name resolution and Netty customizer are used, or {@code null}
 * @param certificates sets the currently valid certificates; called for each encrypted connection
 */
public record RedisTarget(
        List<RedisURI> addresses,
        boolean cluster,
        ClientOptions options,
        @Nullable ClientResources resources,
        Consumer<SslContextBuilder> certificates) {

    public RedisTarget {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("A Redis target needs an address");
        }
    }

    /** Returns a target for one server, or for the master that Sentinels know. */
    public static RedisTarget of(RedisURI address) {
        return new RedisTarget(List.of(address), false, ClientOptions.create(), null, tls -> {});
    }

    public boolean sentinel() {
        return !addresses.get(0).getSentinels().isEmpty();
    }
}
