// SPDX-License-Identifier: Apache-2.0
package com.example.console;

import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

@Configuration(proxyBeanMethods = false)
class ConsoleRules {

    @Bean
    @Order(1)
    SecurityFilterChain console(HttpSecurity http) {
        return http.securityMatcher("/delayqueue/**", "/login", "/logout", "/default-ui.css")
                .authorizeHttpRequests(requests -> requests.anyRequest().hasAnyRole("SUPPORT", "OPERATOR"))
                .formLogin(withDefaults())
                .build();
    }

    @Bean
    SecurityFilterChain others(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .httpBasic(withDefaults())
                .build();
    }
}
