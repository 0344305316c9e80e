// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TransactionMode;
import io.delayqueue.internal.store.TaskStore;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application in this JVM that schedules in transactions, relays, delivers nothing, and can die. */
final class OutboxInstance implements AutoCloseable {

    private final Mortal mortal = new Mortal();
    private final ConfigurableApplicationContext context;

    /** @param properties properties of Spring, each as {@code name=value} */
    OutboxInstance(List<String> properties) {
        this.context = new SpringApplicationBuilder(Configuration.class)
                .profiles("outbox-rounds")
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .properties(properties.toArray(String[]::new))
                .initializers(started -> started.getBeanFactory().registerSingleton("mortal", mortal))
                .run();
        outbox(); // Starts the relay.
    }

    Mortal mortal() {
        return mortal;
    }

    DelayQueueOperations outbox() {
        return context.getBean(DelayQueueOperations.class).inTransaction(TransactionMode.OUTBOX);
    }

    JdbcTemplate jdbc() {
        return context.getBean(JdbcTemplate.class);
    }

    TransactionTemplate transactions() {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    /** Releases the memory of the application. A dead application uses nothing else. */
    @Override
    public void close() {
        mortal.die();
        context.close();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configuration {

        @Bean
        static BeanPostProcessor mortalServers(ObjectProvider<Mortal> mortal) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (bean instanceof DataSource database) {
                        return new MortalDataSource(database, mortal.getObject());
                    }
                    return bean instanceof TaskStore store ? MortalStore.around(store, mortal.getObject()) : bean;
                }
            };
        }
    }
}
