// SPDX-License-Identifier: Apache-2.0
package com.example.rabbit;

import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitRouter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class Routing {

    @Bean
    RabbitRouter orderRouter() {
        return RabbitRouter.forQueue("orders", task -> {
            String country = task.content().headers().getOrDefault("country", "de");
            return new RabbitAddress("shop." + country, "order.timeout");
        });
    }
}
