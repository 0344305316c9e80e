// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisExecutableTests {

    @Test
    void notInstalledNamesWhatHelps() {
        assertThat(RedisExecutable.notInstalled())
                .contains("redis-server", EmbeddedRedis.PROGRAM_VARIABLE, "delayqueue.test.embedded.redis=false");
    }
}
