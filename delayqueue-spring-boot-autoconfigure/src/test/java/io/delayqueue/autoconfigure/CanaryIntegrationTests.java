// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.FoundTask;
import io.delayqueue.ListedTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.internal.redis.rights.RedisRights;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint.ConfigurationPropertiesBeanDescriptor;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/**
 * Gives an application marked passwords and payloads, lets it fail, and looks for the marks: in all that is logged, the
 * library at TRACE and the rest at INFO, in exceptions with all their causes, and in the {@code toString} of every bean
 * of the library.
 */
@ExtendWith(OutputCaptureExtension.class)
class CanaryIntegrationTests {

    private static final String CANARY = "Canary4711";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static RedisServer redis;
    private static EmbeddedAmqpBroker broker;

    private final Logger library = (Logger) LoggerFactory.getLogger("io.delayqueue");
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class,
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    RabbitAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DelayQueueRabbitAutoConfiguration.class))
            .withUserConfiguration(Application.class)
            .withPropertyValues(
                    "spring.data.redis.port=" + redis.port(),
                    "spring.data.redis.username=canary",
                    "spring.data.redis.password=" + CANARY,
                    "spring.rabbitmq.port=" + broker.port(),
                    "delayqueue.defaults.retry.max-retries=1",
                    "delayqueue.defaults.retry.delay=10ms",
                    "delayqueue.queues.handled.shards=1",
                    "delayqueue.queues.unreadable.shards=1",
                    "delayqueue.queues.published.rabbit.exchange=no-such-exchange");

    record Order(String card, LocalDate due) {}

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @DelayQueueListener(queue = "handled")
        void onOrder(Order order) {
            throw new IllegalStateException("the shop is closed");
        }

        @DelayQueueListener(queue = "unreadable")
        void onDate(LocalDate date) {}
    }

    @BeforeAll
    static void startServers() {
        redis = RedisServer.embedded()
                .config(RedisRights.of("dq").user("canary", CANARY))
                .start();
        broker = new EmbeddedAmqpBroker();
        broker.start();
    }

    @AfterAll
    static void stopServers() {
        broker.close();
        redis.close();
    }

    @BeforeEach
    void logEverything() {
        root.setLevel(Level.INFO);
        library.setLevel(Level.TRACE);
    }

    @AfterEach
    void logAsBefore() {
        root.setLevel(before);
        library.setLevel(null);
    }

    @Test
    void nothingShowsAPayloadThatIsHandledPublishedOrUnreadable(CapturedOutput output) {
        runner.run(context -> {
            DelayQueueOperations template = context.getBean(DelayQueueOperations.class);
            for (String queue : List.of("handled", "unreadable", "published")) {
                ScheduleRequest<?> request = requestTo(queue, new Order(CANARY, LocalDate.EPOCH), Duration.ZERO);
                secret(request.toString());
                template.schedule(request);
            }
            template.schedule(requestTo("unreadable", CANARY, Duration.ZERO));
            DelayQueueAdmin admin = context.getBean(DelayQueueAdmin.class);
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(admin.stats("handled").dead()).isOne();
                assertThat(admin.stats("unreadable").dead()).isEqualTo(2);
                assertThat(admin.stats("published").dead()).isOne();
            });
            for (String queue : List.of("handled", "unreadable", "published")) {
                for (ListedTask task :
                        admin.deadTasks(queue, TaskQuery.first(10)).content()) {
                    secret(task.toString());
                    secret(task.lastReason().orElseThrow());
                    secret(task.content().toString());
                    Throwable unreadable = catchThrowable(() -> template.find(queue, task.id(), LocalDate.class));
                    secret(unreadable);
                    Optional<FoundTask<String>> found = template.find(queue, task.id(), String.class);
                    secret(found.toString());
                }
            }
            secret(catchThrowable(() -> template.schedule(requestTo("handled", CANARY.repeat(100_000), Duration.ZERO))
                    .id()));
            beansAreSecret(context);
        });
        secret(output.toString());
    }

    @Test
    void nothingShowsAPasswordThatIsWrong(CapturedOutput output) {
        runner.withPropertyValues(
                        "spring.data.redis.password=wrong" + CANARY,
                        "spring.rabbitmq.username=guest",
                        "spring.rabbitmq.password=" + CANARY)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    DelayQueueOperations template = context.getBean(DelayQueueOperations.class);
                    secret(catchThrowable(() -> template.schedule(requestTo("handled", CANARY, Duration.ZERO))
                            .id()));
                    beansAreSecret(context);
                });
        assertThat(output).contains("WRONGPASS");
        secret(output.toString());
    }

    @Test
    void nothingShowsAPasswordThatTheBrokerRefuses(CapturedOutput output) {
        runner.withPropertyValues("spring.rabbitmq.username=guest", "spring.rabbitmq.password=" + CANARY)
                .run(context -> {
                    context.getBean(DelayQueueOperations.class)
                            .schedule(requestTo("published", new Order(CANARY, LocalDate.EPOCH), Duration.ZERO));
                    await().atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(output).contains("Cannot connect to RabbitMQ"));
                    beansAreSecret(context);
                });
        secret(output.toString());
    }

    @Test
    void nothingShowsAnythingWhenTheServersAreDown(CapturedOutput output) {
        runner.withPropertyValues(
                        "spring.data.redis.url=redis://canary:" + CANARY + "@127.0.0.1:1",
                        "spring.rabbitmq.addresses=amqp://guest:" + CANARY + "@127.0.0.1:1")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    DelayQueueOperations template = context.getBean(DelayQueueOperations.class);
                    secret(catchThrowable(() -> template.schedule(
                                    requestTo("handled", new Order(CANARY, LocalDate.EPOCH), Duration.ZERO))
                            .id()));
                    beansAreSecret(context);
                });
        secret(output.toString());
    }

    @Test
    void nothingShowsTheKeyStoresPasswordWhenItIsWrong(@TempDir Path folder, CapturedOutput output) throws Exception {
        Certificates.make(folder, "store", "DNS:localhost");
        for (String server : List.of("spring.data.redis.ssl.bundle=store", "spring.rabbitmq.ssl.bundle=store")) {
            runner.withPropertyValues(
                            server,
                            "spring.ssl.bundle.jks.store.keystore.location=file:" + folder.resolve("store.p12"),
                            "spring.ssl.bundle.jks.store.keystore.type=PKCS12",
                            "spring.ssl.bundle.jks.store.keystore.password=" + CANARY)
                    .run(context -> {
                        assertThat(context).hasFailed();
                        secret(context.getStartupFailure());
                    });
        }
        secret(output.toString());
    }

    @Test
    void nothingShowsInTheActuatorsEndpoints() {
        runner.run(context -> {
            JsonMapper json = new JsonMapper();
            secret(json.writeValueAsString(reported(context, Show.NEVER)));
            secret(json.writeValueAsString(
                    new EnvironmentEndpoint(context.getEnvironment(), List.of(), Show.NEVER).environment(null)));
            // what is shown to those who may see values: the library's own properties hold no secret
            ConfigurationPropertiesBeanDescriptor own = reported(context, Show.ALWAYS).values().stream()
                    .filter(bean -> bean.getPrefix().equals("delayqueue"))
                    .findFirst()
                    .orElseThrow();
            assertThat(own.getProperties()).containsEntry("keyPrefix", "dq");
            secret(own.getProperties().toString());
            secret(own.getInputs().toString());
        });
    }

    private static Map<String, ConfigurationPropertiesBeanDescriptor> reported(
            AssertableApplicationContext context, Show show) {
        ConfigurationPropertiesReportEndpoint endpoint = new ConfigurationPropertiesReportEndpoint(List.of(), show);
        endpoint.setApplicationContext(context.getSourceApplicationContext());
        return endpoint.configurationProperties()
                .getContexts()
                .values()
                .iterator()
                .next()
                .getBeans();
    }

    private static void beansAreSecret(AssertableApplicationContext context) {
        List<Object> beans = Arrays.stream(context.getBeanDefinitionNames())
                .map(context::getBean)
                .filter(bean -> bean.getClass().getName().startsWith("io.delayqueue"))
                .toList();
        assertThat(beans).hasSizeGreaterThan(10);
        beans.forEach(bean -> secret(bean.toString()));
    }

    private static void secret(Throwable error) {
        assertThat(error).isNotNull();
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        secret(text.toString());
    }

    private static void secret(String text) {
        assertThat(text).doesNotContain(CANARY);
    }
}
