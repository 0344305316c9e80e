// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.relay;

import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Delays messages between the producers and the consumers of a broker. Also serves the console, health and metrics.
 * Several instances share the work.
 */
@SpringBootApplication
public class RelayApplication {

    /** Starts the relay with the settings from the environment. */
    public static void main(String[] args) {
        SpringApplication relay = new SpringApplication(RelayApplication.class);
        relay.addListeners(new RelaySettings());
        relay.run(args);
    }

    @Bean
    @Order(1)
    SecurityFilterChain consoleChain(HttpSecurity http) {
        return http.securityMatcher("/delayqueue/**", "/login", "/logout", "/default-ui.css")
                .authorizeHttpRequests(requests -> requests.anyRequest().hasRole("OPERATOR"))
                .formLogin(form -> form.defaultSuccessUrl("/delayqueue/"))
                .logout(withDefaults())
                .build();
    }

    @Bean
    SecurityFilterChain otherChain(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/health/**")
                        .permitAll()
                        .anyRequest()
                        .hasRole("OPERATOR"))
                .httpBasic(withDefaults())
                .build();
    }
}
