// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.springframework.security.config.Customizer.withDefaults;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.control.PayloadFormatter;
import io.delayqueue.control.QueueAccessResolver;
import io.delayqueue.control.QueuePermission;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** An application with four kinds of users, whose deliveries of the queue orders fail. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(PlainPasswords.class)
public class ConsoleApplication {

    @DelayQueueListener(queue = "orders")
    void close(String order) {
        throw new IllegalStateException("payment service says <b>503</b>");
    }

    @Bean
    QueueAccessResolver access() {
        return (caller, queue) -> {
            EnumSet<QueuePermission> may = EnumSet.noneOf(QueuePermission.class);
            if (caller.isInRole("SUPPORT") || caller.isInRole("OPERATOR") || caller.isInRole("AUDITOR")) {
                may.add(QueuePermission.READ);
            }
            if (caller.isInRole("OPERATOR")) {
                may.add(QueuePermission.OPERATE);
            }
            if (caller.isInRole("AUDITOR")) {
                may.add(QueuePermission.PAYLOAD);
            }
            return may;
        };
    }

    @Bean
    PayloadFormatter payloads() {
        return task -> new String(task.payload().bytes(), StandardCharsets.UTF_8);
    }

    @Bean
    SecurityFilterChain chain(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/delayqueue/**")
                        .hasAnyRole("SUPPORT", "OPERATOR", "AUDITOR", "CUSTOMER")
                        .anyRequest()
                        .authenticated())
                .httpBasic(withDefaults())
                .formLogin(withDefaults())
                .build();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(user("support"), user("operator"), user("auditor"), user("customer"));
    }

    private static UserDetails user(String name) {
        return User.withUsername(name)
                .password("{noop}" + name)
                .roles(name.toUpperCase())
                .build();
    }
}
