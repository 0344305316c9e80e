// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.console.PlainPasswords;
import io.delayqueue.control.QueueAccessResolver;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;

/** What counts as a rule for the console in the application's security, where nothing else says who may see it. */
@DelayQueueServers
@ExtendWith(OutputCaptureExtension.class)
abstract class ConsoleRulesContract {

    /** A customer of the application. */
    static final String CUSTOMER = "customer";

    /** One of the staff, who is a customer too. */
    static final String STAFF = "staff";

    private final HttpClient client = HttpClient.newHttpClient();

    /** What the application says in its property {@code rule}. */
    enum Rule {
        /** Everything is for customers. */
        EVERYWHERE,
        /** What the property {@code ruled} says is for staff, and everything else for whoever has signed in. */
        FOR_STAFF
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(PlainPasswords.class)
    static class Application {

        @Bean
        @ConditionalOnBooleanProperty("resolver")
        QueueAccessResolver access() {
            return (caller, queue) -> Set.of(QueuePermission.READ);
        }
    }

    static List<UserDetails> users() {
        return Stream.of(CUSTOMER, STAFF)
                .map(name -> User.withUsername(name)
                        .password("{noop}" + name)
                        .roles(name.equals(STAFF) ? new String[] {"CUSTOMER", "STAFF"} : new String[] {"CUSTOMER"})
                        .build())
                .toList();
    }

    /** Starts the application with a web server, gives it to its user, and stops it. */
    abstract void run(String[] properties, ContextConsumer<? super ApplicationContext> use);

    /** The property that puts the application behind a context path. */
    abstract String contextPath(String path);

    @FunctionalInterface
    interface Use {

        void of(String application) throws IOException, InterruptedException;
    }

    void run(RedisServer redis, Use use, String... properties) {
        String[] all = Stream.concat(
                        Stream.of(
                                "server.port=0",
                                "delayqueue.key-prefix=rules",
                                "spring.data.redis.url=" + redis.uri(),
                                "delayqueue.queues.mails.shards=1"),
                        Stream.of(properties))
                .toArray(String[]::new);
        run(all, context -> {
            WebServerApplicationContext server = (WebServerApplicationContext)
                    ((ApplicationContextAssertProvider<?>) context).getSourceApplicationContext();
            use.of("http://localhost:" + server.getWebServer().getPort());
        });
    }

    HttpResponse<String> get(String address, String user) throws IOException, InterruptedException {
        String credentials = Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.UTF_8));
        return client.send(
                HttpRequest.newBuilder(URI.create(address))
                        .header("Authorization", "Basic " + credentials)
                        .build(),
                BodyHandlers.ofString());
    }

    void assertClosed(String address, String user) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(address, user);
        assertThat(answer.statusCode())
                .as("%s for %s: %s", address, user, answer.body())
                .isEqualTo(403);
        assertThat(answer.body()).doesNotContain("Queue mails", ">mails<");
    }

    void assertOpen(String address, String user) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(address, user);
        assertThat(answer.statusCode())
                .as("%s for %s: %s", address, user, answer.body())
                .isEqualTo(200);
        assertThat(answer.body()).contains("mails");
    }

    /** Else every customer could cancel tasks as soon as somebody adds the dependency. */
    @Test
    void consoleWhenTheWholeApplicationHasOneRuleIsClosed(RedisServer redis) {
        run(
                redis,
                application -> {
                    assertClosed(application + "/delayqueue", CUSTOMER);
                    assertClosed(application + "/delayqueue/queues/mails", CUSTOMER);
                    assertClosed(application + "/delayqueue/queues/mails", STAFF);
                },
                "rule=EVERYWHERE");
    }

    /** It says what somebody may do in queues, and its author may never have heard of the console. */
    @Test
    void consoleWhenThereIsAResolverAndNoRuleIsClosed(RedisServer redis) {
        run(
                redis,
                application -> assertClosed(application + "/delayqueue/queues/mails", CUSTOMER),
                "rule=FOR_STAFF",
                "ruled=/elsewhere",
                "resolver=true");
    }

    @Test
    void consoleWhenItHasARuleOfItsOwnIsOpenToThoseWhoMeetIt(RedisServer redis) {
        run(
                redis,
                application -> {
                    assertOpen(application + "/delayqueue", STAFF);
                    assertOpen(application + "/delayqueue/queues/mails", STAFF);
                    assertClosed(application + "/delayqueue/queues/mails", CUSTOMER);
                },
                "rule=FOR_STAFF",
                "ruled=/delayqueue/**");
    }

    @Test
    void consoleWhenTheApplicationHasAContextPathHasItsRuleBehindThat(RedisServer redis) {
        run(
                redis,
                application -> {
                    assertOpen(application + "/shop/delayqueue/queues/mails", STAFF);
                    assertClosed(application + "/shop/delayqueue/queues/mails", CUSTOMER);
                },
                "rule=FOR_STAFF",
                "ruled=/delayqueue/**",
                contextPath("/shop"));
    }

    @Test
    void consoleWhenItsRootAloneHasARuleIsClosedBehindIt(RedisServer redis) {
        run(
                redis,
                application -> {
                    assertOpen(application + "/delayqueue/", STAFF);
                    assertClosed(application + "/delayqueue/queues/mails", CUSTOMER);
                    assertClosed(application + "/delayqueue/operations", STAFF);
                },
                "rule=FOR_STAFF",
                "ruled=/delayqueue/");
    }

    @Test
    void consoleWhenAPartAloneHasARuleIsClosed(RedisServer redis) {
        run(
                redis,
                application -> {
                    assertClosed(application + "/delayqueue/queues/mails", STAFF);
                    assertClosed(application + "/delayqueue/", CUSTOMER);
                },
                "rule=FOR_STAFF",
                "ruled=/delayqueue/queues/**");
    }
}
