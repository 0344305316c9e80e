// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the shop.
 *
 * @param paymentWindow how long a customer has to pay
 * @param feed the simulated customers
 */
@ConfigurationProperties("shop")
record ShopProperties(
        @DefaultValue("15m") Duration paymentWindow,
        @DefaultValue Feed feed) {

    /**
     * Simulated customers.
     *
     * @param enabled whether to simulate customers
     */
    record Feed(@DefaultValue("true") boolean enabled) {}
}
