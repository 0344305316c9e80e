// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.test.context.TestPropertySource;

/** The changes over JMX, where access to the endpoint is not bounded. */
@TestPropertySource(
        properties = {
            "management.endpoint.delayqueue.access=unrestricted",
            "spring.jmx.enabled=true",
            "spring.jmx.default-domain=delayqueue.jmx.test",
            "management.endpoints.jmx.domain=delayqueue.jmx.test",
            "management.endpoints.jmx.exposure.include=delayqueue"
        })
class EndpointJmxIntegrationTests extends EndpointScene {

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @Autowired
    private AuditEventRepository audit;

    private Map<?, ?> invoke(String operation, Object... arguments) throws JMException {
        String[] types = new String[arguments.length];
        Arrays.fill(types, String.class.getName());
        ObjectName name = new ObjectName("delayqueue.jmx.test:type=Endpoint,name=Delayqueue");
        return (Map<?, ?>) server.invoke(name, operation, arguments, types);
    }

    @Test
    void taskWhenChangedTellsTheOutcomeAndIsAudited() throws JMException {
        schedule("mails", "a/b", FAR);

        assertThat(invoke("changeTask", "mails", "cancel", "a/b", null).get("outcome"))
                .isEqualTo("CANCELLED");
        assertThat(tasks.find("mails", "a/b")).isEmpty();
        assertThat(audit.find("jmx", null, "DELAYQUEUE_CANCEL")).isNotEmpty();
    }

    @Test
    void queueWhenPausedAndPurgedIsPausedAndEmpty() throws JMException {
        schedule("mails", "m", FAR);

        invoke("changeQueue", "mails", "pause", null);
        assertThat(admin.isPaused("mails")).isTrue();
        invoke("changeQueue", "mails", "resume", null);
        assertThat(admin.isPaused("mails")).isFalse();
        assertThatExceptionOfType(MBeanException.class).isThrownBy(() -> invoke("purge", "mails", "other"));
        assertThat(invoke("purge", "mails", "mails").get("count")).isEqualTo(1L);
    }

    @Test
    void operationWhenBegunIsDone() throws JMException {
        schedule("mails", "vip-1", FAR);
        schedule("mails", "t-2", FAR);

        Map<?, ?> begun = invoke(
                "startOperation", "mails", "cancel", "vip-", null, null, null, null, null, null, "100", "false", null);
        String handle = (String) ((Map<?, ?>) begun.get("operation")).get("handle");
        await().until(() -> admin.stats("mails").delayed() == 1);
        assertThat(invoke("steerOperation", handle, "stop").toString()).contains(handle);
        assertThat(invoke("operations").toString()).contains(handle);
    }
}
