// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

@SpringBootTest(
        classes = StaffApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "delayqueue.key-prefix=reactive",
            "spring.main.web-application-type=reactive",
            "delayqueue.queues.orders.retry.max-attempts=1",
            "delayqueue.queues.mails.shards=2",
            "server.forward-headers-strategy=framework"
        })
class ReactiveConsoleIntegrationTests extends ConsoleWebContract {

    @Override
    String behind(String prefix) {
        return prefix;
    }

    /** Else a Redis that is slow would take the application's own threads by way of the console. */
    @Test
    void pageWhenItIsMadeTakesAThreadOfTheConsole() {
        get("", StaffApplication.READ);

        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .anyMatch(name -> name.matches("delayqueue-console-\\d+"));
    }
}
