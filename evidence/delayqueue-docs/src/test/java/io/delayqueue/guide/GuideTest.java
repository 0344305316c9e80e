// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import io.delayqueue.test.junit.DelayQueueServers;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;

/** A test of a page's code, in the one application that has all pages, on a real Redis, a broker and a database. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@GuidePages({
    "timeouts.md",
    "reminders.md",
    "retries.md",
    "webhooks.md",
    "sagas.md",
    "rate-limits.md",
    "payloads.md",
    "from-rabbitmq-delayed-exchange.md",
    "from-redisson.md",
    "from-rqueue.md",
    "from-polling.md"
})
@SpringBootTest(classes = GuideApplication.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.EMBEDDED)
public @interface GuideTest {}
