// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;

/** The Redis at the address in {@value RedisServer#ADDRESS_VARIABLE}. */
final class ExternalRedis extends ExternalServer implements RedisServer {

    ExternalRedis(URI uri) {
        super("Redis", ADDRESS_VARIABLE, uri, 6379);
    }

    @Override
    boolean answers() {
        return new RedisPing(uri()).isReady();
    }

    @Override
    public URI leastUri() {
        return uri();
    }

    @Override
    public URI adminUri() {
        return uri();
    }

    @Override
    public String version() {
        return new RedisPing(uri()).version();
    }
}
