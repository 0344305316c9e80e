// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Who may see the console: staff that has signed in. Its user is in the yml. With a chain of the application's own Spring Boot adds
 * none, so a second one says what becomes of everything else: the shop's counter is open, for it is a sample, and nothing else is.
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

    /** Orders are placed by curl, without a login and so without anything that another site could misuse. */
    @Bean
    SecurityFilterChain otherChain(HttpSecurity http) {
        return http.authorizeHttpRequests(
                        requests -> requests.requestMatchers("/orders/**", "/actuator/health", "/error")
                                .permitAll()
                                .requestMatchers("/actuator/**")
                                .hasRole("OPERATOR")
                                .anyRequest()
                                .authenticated())
                .csrf(csrf -> csrf.ignoringRequestMatchers("/orders/**"))
                .httpBasic(withDefaults())
                .build();
    }
}
