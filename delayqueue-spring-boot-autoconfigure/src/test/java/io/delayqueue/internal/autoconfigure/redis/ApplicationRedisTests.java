// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

import io.delayqueue.autoconfigure.DelayQueueRedisConnectionDetails;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.redis.RedisTarget;
import io.delayqueue.internal.test.RedisServerConnectionDetails;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.cluster.ClusterClientOptions;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests the choice of the Redis server that stores the tasks. Nothing connects. */
@ExtendWith(OutputCaptureExtension.class)
class ApplicationRedisTests {

    private static final String[] NOTHING = {};

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class));
    private final ApplicationContextRunner withoutSpringData = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
            .withClassLoader(
                    new FilteredClassLoader("org.springframework.data", "org.springframework.boot.data.redis"));

    private static RedisTarget target(ConfigurableApplicationContext context) {
        String named = context.getEnvironment().getProperty("delayqueue.redis.connection-factory");
        return new ApplicationRedis(context.getBeanFactory(), context.getEnvironment(), named).target();
    }

    private static RedisTarget target(ApplicationContextRunner application, String... properties) {
        RedisTarget[] found = new RedisTarget[1];
        application.withPropertyValues(properties).run(context -> {
            assertThat(context).hasNotFailed();
            found[0] = target(context.getSourceApplicationContext());
        });
        return found[0];
    }

    private static void assertRefused(ApplicationContextRunner application, String property, String... texts) {
        application
                .withPropertyValues(property.isEmpty() ? NOTHING : new String[] {property})
                .run(context -> assertThatExceptionOfType(InvalidDelayQueueSetupException.class)
                        .isThrownBy(() -> target(context.getSourceApplicationContext()))
                        .withMessageContainingAll(texts));
    }

    private static RedisCredentials credentials(RedisURI uri) {
        return uri.getCredentialsProvider().resolveCredentials().block();
    }

    private static void assertCredentials(RedisURI uri, String user, String password) {
        assertThat(credentials(uri).getUsername()).isEqualTo(user);
        assertThat(new String(credentials(uri).getPassword())).isEqualTo(password);
    }

    private static ApplicationContextRunner with(
            ApplicationContextRunner application, String name, Supplier<LettuceConnectionFactory> factory) {
        return application.withBean(name, LettuceConnectionFactory.class, factory);
    }

    /** Returns the servers without credentials. */
    private static String shown(RedisTarget target) {
        List<RedisURI> servers = target.sentinel() ? target.addresses().get(0).getSentinels() : target.addresses();
        return (target.sentinel() ? "Sentinels " : "")
                + servers.stream()
                        .map(uri -> uri.getSocket() != null ? uri.getSocket() : uri.getHost() + ":" + uri.getPort())
                        .collect(Collectors.joining(", "));
    }

    private static LettuceConnectionFactory at(String host) {
        return new LettuceConnectionFactory(host, 6379);
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayqueue.redis", "spring.data.redis"})
    void propertiesNameAServer(String prefix) {
        for (ApplicationContextRunner application : List.of(runner, withoutSpringData)) {
            RedisTarget target = target(
                    application,
                    prefix + ".host=redis.example",
                    prefix + ".port=6390",
                    prefix + ".database=3",
                    prefix + ".username=shop",
                    prefix + ".password=secret",
                    prefix + ".client-name=shop",
                    prefix + ".ssl.enabled=true");

            assertThat(shown(target)).isEqualTo("redis.example:6390");
            RedisURI address = target.addresses().get(0);
            assertThat(address.getDatabase()).isEqualTo(3);
            assertThat(address.getClientName()).isEqualTo("shop");
            assertThat(address.isSsl()).isTrue();
            assertThat(address.getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
            assertCredentials(address, "shop", "secret");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayqueue.redis", "spring.data.redis"})
    void propertiesNameAServerByItsUrl(String prefix) {
        for (ApplicationContextRunner application : List.of(runner, withoutSpringData)) {
            RedisTarget target = target(
                    application,
                    prefix + ".url=rediss://shop:secret@redis.example:6390/3",
                    prefix + ".host=other",
                    prefix + ".database=5");

            assertThat(shown(target)).isEqualTo("redis.example:6390");
            RedisURI address = target.addresses().get(0);
            assertThat(address.getDatabase()).isEqualTo(3);
            assertThat(address.isSsl()).isTrue();
            assertCredentials(address, "shop", "secret");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayqueue.redis", "spring.data.redis"})
    void propertiesNameSentinels(String prefix) {
        for (ApplicationContextRunner application : List.of(runner, withoutSpringData)) {
            RedisTarget target = target(
                    application,
                    prefix + ".sentinel.master=shop",
                    prefix + ".sentinel.nodes=s1.example:26379,s2.example:26380",
                    prefix + ".sentinel.username=guard",
                    prefix + ".sentinel.password=sentinel-secret",
                    prefix + ".username=shop",
                    prefix + ".password=secret",
                    prefix + ".database=2");

            assertThat(shown(target)).contains("Sentinels", "s1.example:26379", "s2.example:26380");
            RedisURI address = target.addresses().get(0);
            assertThat(address.getSentinelMasterId()).isEqualTo("shop");
            assertThat(address.getDatabase()).isEqualTo(2);
            assertCredentials(address, "shop", "secret");
            assertThat(address.getSentinels())
                    .hasSize(2)
                    .allSatisfy(sentinel -> assertCredentials(sentinel, "guard", "sentinel-secret"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayqueue.redis", "spring.data.redis"})
    void propertiesNameACluster(String prefix) {
        for (ApplicationContextRunner application : List.of(runner, withoutSpringData)) {
            RedisTarget target = target(
                    application,
                    prefix + ".cluster.nodes=c1.example:7000,c2.example:7001",
                    prefix + ".cluster.max-redirects=4",
                    prefix + ".password=secret");

            assertThat(target.cluster()).isTrue();
            assertThat(shown(target)).contains("c1.example:7000", "c2.example:7001");
            assertThat(target.addresses()).allSatisfy(node -> assertCredentials(node, null, "secret"));
            assertThat(target.options())
                    .isInstanceOfSatisfying(
                            ClusterClientOptions.class,
                            options -> assertThat(options.getMaxRedirects()).isEqualTo(4));
        }
    }

    @Test
    void theFirstOfSeveralThatNameAServerDoes() {
        ApplicationContextRunner all = with(runner, "timers", () -> at("named.example"))
                .withBean(
                        "primary",
                        LettuceConnectionFactory.class,
                        () -> at("primary.example"),
                        definition -> definition.setPrimary(true));
        String shared = "spring.data.redis.host=shared.example";
        DelayQueueRedisConnectionDetails details =
                () -> List.of(new DelayQueueRedisConnectionDetails.Node("details.example", 1));

        assertThat(shown(target(
                        all.withBean(DelayQueueRedisConnectionDetails.class, () -> details),
                        "delayqueue.redis.host=own.example",
                        shared)))
                .isEqualTo("details.example:1");
        assertThat(shown(target(all, "delayqueue.redis.host=own.example", shared)))
                .isEqualTo("own.example:6379");
        assertThat(shown(target(all, "delayqueue.redis.connection-factory=timers", shared)))
                .isEqualTo("named.example:6379");
        assertThat(shown(target(all, shared))).isEqualTo("primary.example:6379");
        assertThat(shown(target(runner, shared))).isEqualTo("shared.example:6379");
        assertThat(shown(target(withoutSpringData, shared))).isEqualTo("shared.example:6379");
    }

    @Test
    void anOnlyLettuceFactoryBesideAnotherClientIsUsed() {
        ApplicationContextRunner both = with(runner, "lettuce", () -> at("lettuce.example"))
                .withBean("other", RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class));
        assertThat(shown(target(both))).isEqualTo("lettuce.example:6379");
    }

    @Test
    void bootsConnectionDetailsNameTheServerOfAnApplicationWithAnotherClient() {
        ApplicationContextRunner other = runner.withBean(
                        RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
                .withBean(
                        DataRedisConnectionDetails.class,
                        () -> new RedisServerConnectionDetails(
                                URI.create("redis://shop:secret@details.example:6399/3")));
        RedisTarget target = target(other, "spring.data.redis.host=shared.example");

        assertThat(shown(target)).isEqualTo("details.example:6399");
        assertThat(target.addresses().get(0).getDatabase()).isEqualTo(3);
        assertCredentials(target.addresses().get(0), "shop", "secret");
    }

    @Test
    void aFactoryIsFollowedWithItsTlsAndName() {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("own.example", 6391);
        server.setPassword("secret");
        server.setDatabase(5);
        RedisTarget target = target(with(
                runner,
                "own",
                () -> new LettuceConnectionFactory(
                        server,
                        LettuceClientConfiguration.builder()
                                .clientName("shop")
                                .useSsl()
                                .verifyPeer(SslVerifyMode.CA)
                                .build())));

        RedisURI address = target.addresses().get(0);
        assertThat(shown(target)).isEqualTo("own.example:6391");
        assertThat(address.getDatabase()).isEqualTo(5);
        assertThat(address.getClientName()).isEqualTo("shop");
        assertThat(address.isSsl()).isTrue();
        assertThat(address.getVerifyMode()).isEqualTo(SslVerifyMode.CA);
        assertCredentials(address, null, "secret");
    }

    @Test
    void aFactoryForASocketIsFollowed() {
        assertThat(shown(target(with(
                        runner,
                        "socket",
                        () -> new LettuceConnectionFactory(new RedisSocketConfiguration("/tmp/redis.sock"))))))
                .isEqualTo("/tmp/redis.sock");
    }

    @Test
    void aFactoryBehindAProxyIsFollowed() {
        ApplicationContextRunner proxied = runner.withBean("proxied", RedisConnectionFactory.class, () -> {
            ProxyFactory proxy = new ProxyFactory(at("behind.example"));
            proxy.setProxyTargetClass(true);
            return (RedisConnectionFactory) proxy.getProxy();
        });
        assertThat(shown(target(proxied))).isEqualTo("behind.example:6379");
    }

    @Test
    void nothingThatNamesAServerIsLocalhostWithALogLine(CapturedOutput output) {
        assertThat(shown(target(withoutSpringData))).isEqualTo("localhost:6379");
        assertThat(output).containsOnlyOnce("the delay queues use localhost:6379; set delayqueue.redis.host");
        assertThat(shown(target(runner))).isEqualTo("localhost:6379");
    }

    @Test
    void nothingThatNamesAServerBesideAnotherClientIsRefused() {
        assertRefused(
                runner.withBean("redisson", RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class)),
                "",
                "client other than Lettuce (redisson)",
                "Set delayqueue.redis.host or delayqueue.redis.url");
        assertRefused(runner, "spring.data.redis.client-type=jedis", "client other than Lettuce");
    }

    @Test
    void twoFactoriesOfWhichNoneIsPrimaryAreRefused() {
        ApplicationContextRunner two = with(with(runner, "one", () -> at("a")), "two", () -> at("b"));
        assertRefused(two, "", "2 connection factories", "none is primary", "delayqueue.redis.connection-factory");
        assertRefused(
                two,
                "delayqueue.redis.connection-factory=three",
                "delayqueue.redis.connection-factory is 'three'",
                "one of [one, two]");
    }

    @Test
    void aSecondFactoryThatIsNoCandidateIsNotUsed() {
        ApplicationContextRunner second = runner.withBean(
                "second",
                LettuceConnectionFactory.class,
                () -> at("second.example"),
                definition -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false));
        assertThat(shown(target(second, "spring.data.redis.host=shared.example")))
                .isEqualTo("shared.example:6379");
    }

    @Test
    void aNamedFactoryOfAnotherClientIsRefused() {
        assertRefused(
                runner.withBean("redisson", RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class)),
                "delayqueue.redis.connection-factory=redisson",
                "The bean 'redisson' is a ",
                "delayqueue.redis.host");
        assertRefused(
                withoutSpringData,
                "delayqueue.redis.connection-factory=any",
                "Spring Data Redis is not on the class path");
    }

    @Test
    void aStaticMasterReplicaConfigurationIsRefused() {
        assertRefused(runner, "spring.data.redis.masterreplica.nodes=a:1,b:2", "static master/replica");
        assertRefused(withoutSpringData, "spring.data.redis.masterreplica.nodes=a:1,b:2", "static master/replica");
        assertRefused(
                with(
                        runner,
                        "fixed",
                        () -> new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration("a", 1))),
                "",
                "static master/replica");
    }

    @Test
    void propertiesThatMakeNoServerAreRefusedWithoutShowingASecret() {
        assertRefused(withoutSpringData, "delayqueue.redis.password=top-secret", "but no server", "url");
        assertRefused(withoutSpringData, "delayqueue.redis.sentinel.nodes=a:1", "no master");
        assertRefused(withoutSpringData, "delayqueue.redis.cluster.nodes=a", "host:port");
        withoutSpringData
                .withPropertyValues("delayqueue.redis.url=redis:/top-secret@")
                .run(context -> assertThatExceptionOfType(InvalidDelayQueueSetupException.class)
                        .isThrownBy(() -> target(context.getSourceApplicationContext()))
                        .withMessageContaining("delayqueue.redis.url is not an address")
                        .withMessageNotContaining("top-secret")
                        .withNoCause());
        assertRefused(
                with(runner, "timers", () -> at("a")).withPropertyValues("delayqueue.redis.connection-factory=timers"),
                "delayqueue.redis.host=b",
                "Remove one of them");
    }

    @Test
    void twoBeansOfConnectionDetailsAreRefused() {
        DelayQueueRedisConnectionDetails details =
                () -> List.of(new DelayQueueRedisConnectionDetails.Node("details.example", 1));
        assertAmbiguous(withoutSpringData
                .withBean("one", DelayQueueRedisConnectionDetails.class, () -> details)
                .withBean("two", DelayQueueRedisConnectionDetails.class, () -> details));

        Supplier<DataRedisConnectionDetails> ofBoot =
                () -> new RedisServerConnectionDetails(URI.create("redis://details.example:6399"));
        assertAmbiguous(new ApplicationContextRunner()
                .withBean("one", DataRedisConnectionDetails.class, ofBoot)
                .withBean("two", DataRedisConnectionDetails.class, ofBoot));
    }

    private static void assertAmbiguous(ApplicationContextRunner application) {
        application.run(context -> assertThatExceptionOfType(NoUniqueBeanDefinitionException.class)
                .isThrownBy(() -> target(context.getSourceApplicationContext()))
                .withMessageContaining("one,two"));
    }

    @Test
    void connectionDetailsWithoutANodeAreRefused() {
        assertRefused(
                withoutSpringData.withBean(DelayQueueRedisConnectionDetails.class, () -> List::of),
                "",
                "has no node",
                "getNodes()");
    }

    @Test
    void aBundleEncryptsUnlessTlsIsTurnedOff() {
        String host = "delayqueue.redis.host=redis.example";
        String bundle = "delayqueue.redis.ssl.bundle=any";
        assertThat(target(withoutSpringData, host, bundle).addresses().get(0).isSsl())
                .isTrue();
        assertThat(target(withoutSpringData, host, bundle, "delayqueue.redis.ssl.enabled=false")
                        .addresses()
                        .get(0)
                        .isSsl())
                .isFalse();
    }

    @Test
    void userAndPasswordDoNotReplaceThoseOfTheUrl() {
        RedisTarget target = target(
                withoutSpringData,
                "delayqueue.redis.url=redis://shop:secret@redis.example:6390",
                "delayqueue.redis.username=other",
                "delayqueue.redis.password=other-secret");
        assertCredentials(target.addresses().get(0), "shop", "secret");
    }

    @Test
    void emptyUserAndPasswordAreNone() {
        assertThat(shown(target(
                        withoutSpringData,
                        "delayqueue.redis.username=",
                        "delayqueue.redis.password=",
                        "spring.data.redis.host=shared.example")))
                .isEqualTo("shared.example:6379");
    }

    @Test
    void ownClientNameReplacesThatOfAFactory() {
        RedisTarget target = target(
                with(
                        runner,
                        "own",
                        () -> new LettuceConnectionFactory(
                                new RedisStandaloneConfiguration("own.example", 6391),
                                LettuceClientConfiguration.builder()
                                        .clientName("shop")
                                        .build())),
                "delayqueue.redis.client-name=timers");
        assertThat(target.addresses().get(0).getClientName()).isEqualTo("timers");
    }
}
