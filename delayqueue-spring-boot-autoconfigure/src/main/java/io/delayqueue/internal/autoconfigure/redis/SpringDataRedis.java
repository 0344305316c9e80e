// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.MadeByBoot;
import io.delayqueue.internal.autoconfigure.settings.PropertyRule;
import io.delayqueue.internal.redis.RedisTarget;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.netty.handler.ssl.SslContextBuilder;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;
import org.springframework.util.ReflectionUtils;

/** The servers of the application's connection factories, if Spring Data Redis is on the class path. */
record SpringDataRedis(ConfigurableListableBeanFactory beans) {

    static final String BOOT = "org.springframework.boot.data.redis.autoconfigure";
    private static final String PROPERTY = "delayqueue.redis.connection-factory";

    /**
     * Returns the servers of a Lettuce factory, or {@code null} if there is none.
     *
     * @param name name or qualifier of the bean; {@code null} for the only or primary one
     */
    @Nullable
    RedisTarget target(@Nullable String name) {
        LettuceConnectionFactory factory = (name != null) ? named(name) : only();
        if (factory == null) {
            return null;
        }
        boolean isBoots =
                names().stream().anyMatch(bean -> MadeByBoot.is(beans, bean, BOOT) && beans.getBean(bean) == factory);
        return target(
                factory,
                isBoots
                        ? new BundledCertificates(() ->
                                beans.getBean(DataRedisConnectionDetails.class).getSslBundle())
                        : tls -> {});
    }

    private LettuceConnectionFactory named(String name) {
        Object factory;
        try {
            factory = target(BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, RedisConnectionFactory.class, name));
        } catch (NoSuchBeanDefinitionException ex) {
            throw PropertyRule.refusal(
                    PROPERTY, name, "the name or qualifier of a RedisConnectionFactory, one of " + names());
        }
        if (factory instanceof LettuceConnectionFactory lettuce) {
            return lettuce;
        }
        throw new InvalidDelayQueueSetupException(
                PROPERTY,
                "The bean '" + name + "' is a " + factory.getClass().getName()
                        + ", but the delay queues support only LettuceConnectionFactory.",
                "Remove " + PROPERTY + ", and set the server in delayqueue.redis.host or delayqueue.redis.url.");
    }

    private @Nullable LettuceConnectionFactory only() {
        ObjectProvider<RedisConnectionFactory> all = beans.getBeanProvider(RedisConnectionFactory.class);
        RedisConnectionFactory unique = all.getIfUnique();
        if (unique != null && target(unique) instanceof LettuceConnectionFactory lettuce) {
            return lettuce;
        }
        List<LettuceConnectionFactory> lettuces = all.stream()
                .map(SpringDataRedis::target)
                .filter(LettuceConnectionFactory.class::isInstance)
                .map(LettuceConnectionFactory.class::cast)
                .toList();
        if (lettuces.size() > 1) {
            throw new InvalidDelayQueueSetupException(
                    "The delay queues need one Redis server, but there are " + lettuces.size()
                            + " connection factories for Lettuce, and none is primary.",
                    "Set " + PROPERTY + " to the name of one, mark one as @Primary, or set the server in "
                            + "delayqueue.redis.host.");
        }
        return lettuces.isEmpty() ? null : lettuces.get(0);
    }

    private List<String> names() {
        return List.of(beans.getBeanNamesForType(RedisConnectionFactory.class));
    }

    /** Returns the object behind proxies, such as those of refresh scopes and aspects. */
    private static Object target(Object bean) {
        Object target = bean;
        while (target instanceof Advised proxy) {
            try {
                target = Objects.requireNonNull(proxy.getTargetSource().getTarget());
            } catch (Exception ex) {
                throw new InvalidDelayQueueSetupException(
                        "Cannot read the target of a RedisConnectionFactory proxy: " + ex,
                        "Set the server in delayqueue.redis.host or delayqueue.redis.url.");
            }
        }
        return target;
    }

    static RedisTarget target(LettuceConnectionFactory factory, Consumer<SslContextBuilder> certificates) {
        LettuceClientConfiguration client = factory.getClientConfiguration();
        RedisConfiguration servers = servers(factory);
        List<RedisURI> addresses = addresses(servers);
        for (RedisURI address : addresses) {
            client.getRedisCredentialsProviderFactory().ifPresent(credentials -> {
                address.setCredentialsProvider(credentials.createCredentialsProvider(servers));
                if (servers instanceof RedisSentinelConfiguration sentinel) {
                    address.getSentinels()
                            .forEach(node -> node.setCredentialsProvider(
                                    credentials.createSentinelCredentialsProvider(sentinel)));
                }
            });
            address.setClientName(client.getClientName().orElse(null));
            address.setDatabase(factory.getDatabase());
            Stream.concat(Stream.of(address), address.getSentinels().stream()).forEach(uri -> {
                uri.setSsl(client.isUseSsl());
                uri.setVerifyPeer(client.getVerifyMode());
                uri.setStartTls(client.isStartTls());
            });
        }
        return new RedisTarget(
                addresses,
                servers instanceof RedisClusterConfiguration,
                options(client.getClientOptions().orElseGet(ClientOptions::create), servers),
                client.getClientResources().orElse(null),
                certificates);
    }

    /** Returns the client options, with the number of redirects that Spring Data stores separately. */
    private static ClientOptions options(ClientOptions options, RedisConfiguration servers) {
        if (!(servers instanceof RedisClusterConfiguration cluster) || cluster.getMaxRedirects() == null) {
            return options;
        }
        ClusterClientOptions.Builder own = (options instanceof ClusterClientOptions given)
                ? given.mutate()
                : ClusterClientOptions.builder(options);
        return own.maxRedirects(cluster.getMaxRedirects()).build();
    }

    private static List<RedisURI> addresses(RedisConfiguration servers) {
        if (servers instanceof RedisSentinelConfiguration sentinel) {
            return List.of(LettuceConverters.sentinelConfigurationToRedisURI(sentinel));
        }
        List<RedisURI> addresses;
        if (servers instanceof RedisClusterConfiguration cluster) {
            addresses = cluster.getClusterNodes().stream()
                    .map(node -> RedisURI.create(
                            Objects.requireNonNull(node.getHost()), Objects.requireNonNull(node.getPort())))
                    .toList();
        } else if (servers instanceof RedisSocketConfiguration socket) {
            addresses = List.of(RedisURI.Builder.socket(socket.getSocket()).build());
        } else if (servers instanceof RedisStandaloneConfiguration server) {
            addresses = List.of(RedisURI.create(server.getHostName(), server.getPort()));
        } else {
            throw RedisAddress.fixedReplicas("The application's LettuceConnectionFactory");
        }
        RedisConfiguration.WithAuthentication signIn = (RedisConfiguration.WithAuthentication) servers;
        RedisPassword password = signIn.getPassword();
        if (password.isPresent()) {
            addresses.forEach(address -> address.setCredentialsProvider(credentials(signIn.getUsername(), password)));
        }
        return addresses;
    }

    private static RedisCredentialsProvider credentials(@Nullable String user, RedisPassword password) {
        return new StaticCredentialsProvider(user, password.get());
    }

    /**
     * Returns the configuration with which the factory was created, for which there is no getter: {@code
     * getStandaloneConfiguration()} returns {@code localhost} if the factory was created from a static master/replica
     * configuration or a URI.
     */
    private static RedisConfiguration servers(LettuceConnectionFactory factory) {
        Field field = serversField();
        ReflectionUtils.makeAccessible(field);
        return (RedisConfiguration) Objects.requireNonNull(ReflectionUtils.getField(field, factory));
    }

    static Field serversField() {
        Field field =
                ReflectionUtils.findField(LettuceConnectionFactory.class, "configuration", RedisConfiguration.class);
        if (field == null) {
            throw new InvalidDelayQueueSetupException(
                    "This version of Spring Data Redis does not reveal the servers of its connection " + "factory.",
                    "Set the server in delayqueue.redis.host or delayqueue.redis.url.");
        }
        return field;
    }
}
