// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A task's page where the history of its queue is broken. */
class ConsoleHistoryIntegrationTests extends ConsoleScene {

    @Autowired
    private StringRedisTemplate redis;

    private static String key(int shard) {
        return "scene:{orders:" + shard + "}:history";
    }

    @AfterEach
    void mend() {
        redis.opsForHash().delete(key(0), "no");
        redis.opsForHash().delete(key(1), "no");
    }

    @Test
    void taskWhenItsHistoryCannotBeReadIsShownAllTheSame() {
        schedule("orders", "h", FAR);
        redis.opsForHash().put(key(0), "no", "stream");
        redis.opsForHash().put(key(1), "no", "stream");

        HttpResponse<String> page = get("support", "/queues/orders/task?id=h");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("Task h", "The history could not be read");
    }
}
