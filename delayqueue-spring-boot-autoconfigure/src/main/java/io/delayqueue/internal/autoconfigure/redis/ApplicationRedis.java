// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.delayqueue.autoconfigure.DelayQueueRedisConnection;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.MadeByBoot;
import io.delayqueue.internal.autoconfigure.settings.PropertyRule;
import io.netty.handler.ssl.SslContextBuilder;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** To which Redis the application connects, and with which certificates. */
final class ApplicationRedis {

    private static final String PROPERTY = "delayqueue.redis.connection-factory";

    private final ConfigurableListableBeanFactory beans;

    ApplicationRedis(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** @param name or qualifier of the bean; null for the only or primary one */
    RedisConnectionFactory factory(@Nullable String name) {
        if (name != null) {
            try {
                return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, RedisConnectionFactory.class, name);
            } catch (NoSuchBeanDefinitionException ex) {
                throw PropertyRule.refusal(
                        PROPERTY, name, "the name or qualifier of a RedisConnectionFactory, one of " + names());
            }
        }
        ObjectProvider<RedisConnectionFactory> all = beans.getBeanProvider(RedisConnectionFactory.class);
        RedisConnectionFactory factory = all.getIfUnique();
        if (factory == null) {
            throw new InvalidDelayQueueSetupException(
                    "The delay queues need one RedisConnectionFactory, but there are "
                            + all.stream().count() + " and none of them is primary.",
                    "Mark one as @Primary, or name one in " + PROPERTY
                            + ", or declare a bean of type DelayQueueRedisConnection.");
        }
        return factory;
    }

    /**
     * The bean or the property that names the servers of a connection, in words.
     *
     * @param name as of {@link #factory}
     */
    String origin(DelayQueueRedisConnection connection, @Nullable String name) {
        return Stream.of(beans.getBeanNamesForType(DelayQueueRedisConnection.class, true, false))
                .filter(bean ->
                        beans.getSingleton(bean) == connection && !MadeByBoot.is(beans, bean, RedisConfiguration.class))
                .map(bean -> "the bean '" + bean + "' of type DelayQueueRedisConnection")
                .findFirst()
                .orElseGet(() -> (name != null)
                        ? PROPERTY + "=" + name
                        : "the bean of type RedisConnectionFactory, the only or primary one of " + names());
    }

    private List<String> names() {
        return List.of(beans.getBeanNamesForType(RedisConnectionFactory.class));
    }

    /**
     * Sets those of the SSL bundle as it is now: it may be reloaded while the application runs.
     *
     * @param factory nothing is set unless Spring Boot made it
     */
    Consumer<SslContextBuilder> certificates(RedisConnectionFactory factory) {
        DataRedisConnectionDetails details =
                beans.getBeanProvider(DataRedisConnectionDetails.class).getIfUnique();
        if (details == null || !isBoots(factory)) {
            return tls -> {};
        }
        return tls -> {
            SslBundle bundle = details.getSslBundle();
            if (bundle != null) {
                SslManagerBundle managers = bundle.getManagers();
                tls.keyManager(managers.getKeyManagerFactory()).trustManager(managers.getTrustManagerFactory());
            }
        };
    }

    private boolean isBoots(RedisConnectionFactory factory) {
        return Stream.of(beans.getBeanNamesForType(RedisConnectionFactory.class, true, false))
                .anyMatch(bean ->
                        MadeByBoot.is(beans, bean, DataRedisAutoConfiguration.class) && beans.getBean(bean) == factory);
    }
}
