// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.web;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

@SpringBootTest(
        classes = StaffApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "delayqueue.key-prefix=servlet",
            "delayqueue.queues.orders.retry.max-attempts=1",
            "delayqueue.queues.mails.shards=2",
            "server.forward-headers-strategy=framework",
            "server.servlet.context-path=/shop"
        })
class ServletConsoleIntegrationTests extends ConsoleWebContract {

    @Override
    String context() {
        return "/shop";
    }

    @Override
    String behind(String prefix) {
        return prefix; // Spring's filter takes it for the whole context path
    }
}
