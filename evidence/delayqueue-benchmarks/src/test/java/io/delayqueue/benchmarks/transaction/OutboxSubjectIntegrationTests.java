// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.subject.Task;
import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxSubjectIntegrationTests {

    @Test
    void recordsWhenRedisConfirmsATaskOfATransaction() {
        try (RedisServer redis = RedisServer.available().start();
                DatabaseServer database = DatabaseServer.postgres().start();
                TransactionSubject subject = TransactionSubjects.open(
                        Subjects.DELAYQUEUE,
                        new Place(redis.uri(), false, null, 0).with(database.createDatabase("orders")),
                        List.of())) {
            long inAnHour = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
            long sent = System.nanoTime();
            subject.transaction(List.of(Task.of(0, 7, inAnHour)));

            await().untilAsserted(() -> assertThat(subject.arrived()).isOne());
            await().until(() -> subject.arrivedNanos(7) != 0); // Redis has the task before the reply is read.
            assertThat(subject.arrivedNanos(7) - sent).isBetween(1L, System.nanoTime() - sent);
            assertThat(subject.arrivedNanos(8)).isZero();
        }
    }
}
