// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ScheduleRequest;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** An application that stops while a browser downloads a file. */
@DirtiesContext
@TestPropertySource(properties = "delayqueue.key-prefix=stop")
class ConsoleStopIntegrationTests extends ConsoleScene {

    @Autowired
    ConfigurableApplicationContext context;

    @Test
    void downloadWhenTheApplicationStopsIsNotComplete() {
        tasks.scheduleAll(IntStream.range(0, 501)
                .mapToObj(i -> ScheduleRequest.to("mails")
                        .id("m" + i)
                        .payload("x")
                        .dueAt(FAR)
                        .build())
                .toList());
        context.publishEvent(new ContextClosedEvent(new StaticApplicationContext(context)));
        assertThat(get("support", "/queues/mails/tasks.csv").body().lines()).hasSize(502);

        context.publishEvent(new ContextClosedEvent(context));

        assertThat(get("support", "/queues/mails/tasks.csv").statusCode()).isEqualTo(500);
    }
}
