// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.RedisServerBuilder;
import io.delayqueue.test.server.TestServerException;
import org.junit.jupiter.api.Assumptions;

/** The Redis of this machine, newer than the embedded one; a test that needs it is skipped where there is none. */
final class InstalledRedis {

    private InstalledRedis() {}

    static RedisServer startOrSkip(String... config) {
        RedisServerBuilder builder = RedisServer.installed();
        for (String line : config) {
            builder.config(line);
        }
        RedisServer redis;
        try {
            redis = builder.build();
        } catch (TestServerException ex) {
            return Assumptions.abort("no redis-server is installed: " + ex.getMessage());
        }
        redis.start();
        return redis;
    }
}
