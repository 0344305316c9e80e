// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The shop with its orders in a real PostgreSQL, as the profile of that name sets it up. */
@Tag("long")
@DelayQueueServers(database = DelayQueueServers.Database.POSTGRES)
class PostgresShopIntegrationTests {

    @Test
    void ordersWhenTheShopIsStartedAgainAreThereAndTheirTimersToo(TestDatabase database, RedisServer redis) {
        String id;
        try (ConfigurableApplicationContext shop = start(database, redis)) {
            id = shop.getBean(OrderService.class).place("a kettle").id();
        }
        try (ConfigurableApplicationContext shop = start(database, redis)) {
            OrderBook book = shop.getBean(OrderBook.class);
            assertThat(book.find(id)).isPresent();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> book.find(id).orElseThrow().status() == Order.Status.CLOSED);
        }
    }

    private static ConfigurableApplicationContext start(TestDatabase database, RedisServer redis) {
        return SpringApplication.run(
                ShopApplication.class,
                "--spring.profiles.active=postgres,brokerless",
                "--spring.datasource.url=" + database.jdbcUrl(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--spring.data.redis.url=" + redis.uri(),
                // shops of other tests may still scan the same Redis
                "--delayqueue.key-prefix=t-postgres-shop",
                "--server.port=0",
                "--shop.feed.enabled=false",
                "--shop.payment-window=1s");
    }
}
