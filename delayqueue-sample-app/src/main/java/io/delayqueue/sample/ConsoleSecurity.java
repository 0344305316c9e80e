// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Restricts the console to signed-in staff, whose user is in {@code application.yml}. Because this is a custom filter
 * chain, Spring Boot adds none. A second chain therefore covers all other paths, and opens only the pages of the shop.
 */
@Configuration(proxyBeanMethods = false)
class ConsoleSecurity {

    @Bean
    @Order(1)
    SecurityFilterChain consoleChain(HttpSecurity http) {
        return http.securityMatcher("/delayqueue/**", "/login", "/logout", "/default-ui.css")
                .authorizeHttpRequests(requests -> requests.anyRequest().hasRole("OPERATOR"))
                .formLogin(form -> form.defaultSuccessUrl("/delayqueue/"))
                .logout(withDefaults())
                .build();
    }

    /**
     * Customers place orders with curl and without a login. The console's session is valid for the endpoint, too, but the
     * endpoint accepts changes only as JSON, which a page of another site cannot send.
     */
    @Bean
    SecurityFilterChain otherChain(HttpSecurity http) {
        return http.authorizeHttpRequests(
                        requests -> requests.requestMatchers("/orders/**", "/actuator/health", "/error")
                                .permitAll()
                                .requestMatchers("/actuator/**")
                                .hasRole("OPERATOR")
                                .anyRequest()
                                .authenticated())
                .csrf(csrf -> csrf.ignoringRequestMatchers("/orders/**", "/actuator/delayqueue/**"))
                .httpBasic(withDefaults())
                .build();
    }
}
