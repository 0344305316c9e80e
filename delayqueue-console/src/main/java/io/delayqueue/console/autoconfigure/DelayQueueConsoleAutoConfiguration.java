// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.internal.console.Console;
import io.delayqueue.internal.console.ConsoleGate;
import io.delayqueue.internal.console.Installation;
import io.delayqueue.internal.console.mvc.ConsoleHandler;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.web.TrustedHosts;
import io.delayqueue.internal.queue.QueueCatalog;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.support.RequestDataValueProcessor;

/** Auto-configuration of the console, in Spring MVC applications that have delay queues. */
@AutoConfiguration(after = DelayQueueAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass(RouterFunction.class)
@ConditionalOnBean(QueueControl.class)
@ConditionalOnBooleanProperty(
        name = {"delayqueue.enabled", "delayqueue.console.enabled"},
        matchIfMissing = true)
@EnableConfigurationProperties(DelayQueueConsoleProperties.class)
@ImportRuntimeHints(ConsoleHints.class)
public final class DelayQueueConsoleAutoConfiguration {

    private static final String SPRING_SECURITY = "springSecurityFilterChain";

    @Bean
    Console delayQueueConsole(
            QueueControl control,
            QueueCatalog catalog,
            DelayQueueConsoleProperties properties,
            @Value("${spring.application.name:delayqueue}") String application) {
        Installation installation = new Installation(
                application,
                properties.label(),
                ConsolePath.of(properties.path()).text(),
                properties.signOut());
        return new Console(control, catalog, installation);
    }

    /** Closes the console before the web server waits for its requests. */
    @Bean
    ApplicationListener<ContextClosedEvent> delayQueueConsoleClosing(Console console, ApplicationContext context) {
        return event -> {
            if (event.getApplicationContext() == context) {
                console.close();
            }
        };
    }

    /** Returns the routes of the console. A closed console matches no request. */
    @Bean
    RouterFunction<ServerResponse> delayQueueConsoleRoutes(
            DelayQueueConsoleProperties properties,
            Console console,
            ObjectProvider<RequestDataValueProcessor> protection,
            ListableBeanFactory beans,
            Environment environment) {
        ConsolePath path = ConsolePath.of(properties.path());
        ConsoleGate gate =
                new ConsoleGate(properties.exposed(), properties.roles(), new TrustedHosts(properties.hosts()));
        if (gate.isOpen() && beans.containsBean("delayQueueEndpoint")) {
            path.checkAgainstEndpoint(environment);
        }
        ConsoleOpening.tell(properties, beans.containsBean(SPRING_SECURITY));
        return RouterFunctions.route(
                gate.isOpen() ? RequestPredicates.path(path.pattern()) : request -> false,
                new ConsoleHandler(path.text(), console, gate, request -> {
                    RequestDataValueProcessor fields = protection.getIfUnique();
                    Map<String, String> hidden = fields == null ? null : fields.getExtraHiddenFields(request);
                    return hidden == null ? Map.of() : hidden;
                }));
    }
}
