// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/** What is open without a word about access. */
@TestPropertySource(
        properties = {
            "spring.jmx.enabled=true",
            "spring.jmx.unique-names=false",
            "spring.jmx.default-domain=delayqueue.endpoint.test",
            "management.endpoints.jmx.domain=delayqueue.endpoint.test",
            "management.endpoints.jmx.exposure.include=delayqueue"
        })
class EndpointAccessIntegrationTests extends EndpointScene {

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @Test
    void endpointWhenNothingIsSaidOfAccessOnlyReads() {
        schedule("mails", "m", FAR);

        assertStatus(get("/queues/mails"), 200);
        assertThat(post("/queues/mails/cancel", Map.of("id", "m")).status()).isIn(404, 405);
        assertThat(call("DELETE", "/queues/mails/tasks?confirm=mails", null, null)
                        .status())
                .isIn(404, 405);
        assertThat(tasks.find("mails", "m")).isPresent();
    }

    @Test
    void endpointOverJmxReadsTheSame() throws Exception {
        schedule("mails", "m", FAR);
        ObjectName name = new ObjectName("delayqueue.endpoint.test:type=Endpoint,name=Delayqueue");

        MBeanInfo info = server.getMBeanInfo(name);
        assertThat(Arrays.stream(info.getOperations()).map(operation -> operation.getName()))
                .containsExactlyInAnyOrder(
                        "queues", "history", "find", "tasks", "rates", "histogram", "owners", "operations");
        Map<?, ?> queues = (Map<?, ?>) server.invoke(name, "queues", new Object[0], new String[0]);
        assertThat((List<?>) queues.get("queues")).hasSize(2);
        String text = String.class.getName();
        Map<?, ?> found = (Map<?, ?>) server.invoke(name, "find", new Object[] {"m"}, new String[] {text});
        assertThat(found.toString()).contains("id=m").doesNotContain("secret");
        Map<?, ?> page = (Map<?, ?>) server.invoke(
                name, "tasks", new Object[] {"mails", null, "m", null, null, null, null, null, null}, new String[] {
                    text, text, text, text, text, text, text, text, text
                });
        assertThat((List<?>) page.get("tasks")).hasSize(1);
    }
}
