// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.test.junit.DelayQueueServers;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** The shop on a real Redis and a real RabbitMQ. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"shop.feed.enabled=false", "shop.payment-window=2s"})
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class ShopIntegrationTests extends ShopContract {}
