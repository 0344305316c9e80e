// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.ActiveProfiles;

/** The shop on a real Redis alone. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"shop.feed.enabled=false", "shop.payment-window=2s"})
@ActiveProfiles("brokerless")
@DelayQueueServers
class BrokerlessShopIntegrationTests extends ShopContract {

    @Autowired
    private ApplicationContext context;

    @Test
    void shopWhenBrokerlessHasNoConnectionToABroker() {
        assertThat(context.getBeansOfType(ConnectionFactory.class)).isEmpty();
    }
}
