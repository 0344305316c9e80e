// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.test.server.RedisCluster;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;

/** Connects to a cluster of a test, without a password. */
public final class ClusterTargets {

    private ClusterTargets() {}

    public static RedisTarget of(RedisCluster cluster) {
        return new RedisTarget(
                cluster.uris().stream()
                        .map(uri -> RedisURI.create(uri.getHost(), uri.getPort()))
                        .toList(),
                true,
                ClientOptions.create(),
                null,
                tls -> {});
    }
}
