// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.RedisServerBuilder;

/** The Redis of this machine, newer than the embedded one. Where there is none, the test fails and says so. */
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
