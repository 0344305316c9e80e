// SPDX-License-Identifier: Apache-2.0
package com.example.endpoint;

import io.delayqueue.control.PayloadFormatter;
import io.delayqueue.control.QueueAccessResolver;
import io.delayqueue.control.QueuePermission;
import java.util.Set;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
class EndpointRules {

    @Bean
    @Order(1)
    SecurityFilterChain delayQueueRules(HttpSecurity http) {
        return http.securityMatcher(EndpointRequest.to("delayqueue"))
                .authorizeHttpRequests(requests -> requests.anyRequest().hasAnyRole("SUPPORT", "OPERATOR"))
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.disable()) // tools have no token, and another site's form cannot send JSON
                .build();
    }

    @Bean
    SecurityFilterChain others(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @Bean
    QueueAccessResolver delayQueueAccess() {
        return (caller, queue) -> {
            if (caller.isInRole("OPERATOR")) {
                return Set.of(QueuePermission.READ, QueuePermission.OPERATE);
            }
            boolean reads = caller.isInRole("SUPPORT") && !queue.startsWith("billing");
            return reads ? Set.of(QueuePermission.READ) : Set.of();
        };
    }

    @Bean
    PayloadFormatter payloads(JsonMapper json) {
        return task -> json.readTree(task.payload().bytes()).path("orderId").asString();
    }
}
