// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.test.server.RedisServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class AcquireCountsIntegrationTests {

    @Test
    void countsAcquiresWithAndWithoutTasks() {
        List<String> payloads = new CopyOnWriteArrayList<>();
        try (RedisServer redis = RedisServer.available().start();
                DelayqueueSubject subject = DelayqueueSubject.counted(
                        new Place(redis.uri(), false, null, 0), Need.toHandle(1, payloads::add))) {
            Task task = Task.of(0, 1, System.currentTimeMillis());
            subject.schedule(task);

            await().untilAsserted(() -> assertThat(payloads).containsExactly(task.payload()));
            await().untilAsserted(() -> {
                assertThat(subject.acquires().empty()).isPositive();
                assertThat(subject.acquires().all())
                        .isGreaterThan(subject.acquires().empty());
            });
        }
    }
}
