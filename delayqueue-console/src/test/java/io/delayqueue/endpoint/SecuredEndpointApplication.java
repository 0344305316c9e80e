// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import io.delayqueue.console.PlainPasswords;
import io.delayqueue.control.PayloadFormatter;
import io.delayqueue.control.QueueAccessResolver;
import io.delayqueue.control.QueuePermission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * An application that is secured as docs/security.md says, with Spring MVC or with WebFlux. A user's password is the
 * name, and the names are those of the roles.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({PlainPasswords.class, ServletEndpointSecurity.class, ReactiveEndpointSecurity.class})
class SecuredEndpointApplication {

    /** Answers the token of the caller's session. */
    static final String TOKEN = "/token";

    static final String[] MAY_ENTER = {"SUPPORT", "OPERATOR", "AUDITOR"};

    static List<UserDetails> users() {
        return Stream.of("support", "operator", "auditor", "clerk")
                .map(name -> User.withUsername(name)
                        .password("{noop}" + name)
                        .roles(name.toUpperCase(Locale.ROOT))
                        .build())
                .toList();
    }

    @Bean
    QueueAccessResolver access() {
        return (caller, queue) -> {
            if (caller.isInRole("OPERATOR")) {
                return Set.of(QueuePermission.READ, QueuePermission.OPERATE);
            }
            if (caller.isInRole("AUDITOR")) {
                return Set.of(QueuePermission.READ, QueuePermission.PAYLOAD);
            }
            boolean reads = caller.isInRole("SUPPORT") && !queue.startsWith("billing");
            return reads ? Set.of(QueuePermission.READ) : Set.of();
        };
    }

    @Bean
    PayloadFormatter payloads() {
        return task -> new String(task.payload().bytes(), StandardCharsets.UTF_8);
    }

    @Bean
    InMemoryAuditEventRepository auditEvents() {
        return new InMemoryAuditEventRepository();
    }
}
