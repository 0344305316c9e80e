// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.control.PayloadFormatter;
import io.delayqueue.control.QueueAccessResolver;
import io.delayqueue.control.QueuePermission;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.actuate.audit.listener.AuditListener;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application without security whose deliveries fail, and that believes what a request's header says of its user.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        exclude = {
            SecurityAutoConfiguration.class,
            UserDetailsServiceAutoConfiguration.class,
            ServletWebSecurityAutoConfiguration.class,
            SecurityFilterAutoConfiguration.class,
            ManagementWebSecurityAutoConfiguration.class
        })
class EndpointApplication {

    static final String USER = "X-User";

    @DelayQueueListener(queue = "orders")
    void close(String order) {
        throw new IllegalStateException("payment service says 503");
    }

    @Bean
    InMemoryAuditEventRepository auditEvents() {
        return new InMemoryAuditEventRepository();
    }

    /** Spring Boot's own configuration of it needs Spring Security. */
    @Bean
    AuditListener auditListener(AuditEventRepository auditEvents) {
        return new AuditListener(auditEvents);
    }

    @Bean
    QueueAccessResolver access() {
        return (caller, queue) -> switch (caller.name()) {
            case "stranger" -> EnumSet.noneOf(QueuePermission.class);
            case "support" -> EnumSet.of(QueuePermission.READ);
            case "scheduler" -> EnumSet.allOf(QueuePermission.class);
            case "auditor" -> EnumSet.of(QueuePermission.READ, QueuePermission.PAYLOAD);
            default -> EnumSet.of(QueuePermission.READ, QueuePermission.OPERATE);
        };
    }

    @Bean
    PayloadFormatter payloads() {
        return task -> new String(task.payload().bytes(), StandardCharsets.UTF_8);
    }

    @Bean
    Filter users() {
        return (request, response, chain) -> chain.doFilter(new Known((HttpServletRequest) request), response);
    }

    private static final class Known extends HttpServletRequestWrapper {

        Known(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable Principal getUserPrincipal() {
            String user = getHeader(USER);
            return user == null ? null : () -> user;
        }
    }
}
