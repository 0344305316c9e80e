// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.RedisServerBuilder;

/**
 * The Redis that is installed on this machine, newer than the embedded one. Without it, the test fails with a message.
 */
final class InstalledRedis {

    private InstalledRedis() {}

    static RedisServer start(String... config) {
        RedisServerBuilder builder = RedisServer.installed();
        for (String line : config) {
            builder.config(line);
        }
        return builder.start();
    }
}
