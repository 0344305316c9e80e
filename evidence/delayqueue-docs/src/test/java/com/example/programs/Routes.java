// SPDX-License-Identifier: Apache-2.0
package com.example.programs;

import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitRouter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
class Routes {

    @Bean
    RabbitRouter byCountry() {
        return RabbitRouter.forQueue("shipments", task -> {
            String country = task.content().headers().getOrDefault("country", "de");
            return new RabbitAddress("shop." + country, "shipment.due");
        });
    }
}
