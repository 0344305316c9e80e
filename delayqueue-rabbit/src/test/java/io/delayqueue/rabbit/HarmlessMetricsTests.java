// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.MetricsCollector;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class HarmlessMetricsTests {

    /** One that the driver adds would have a default that counts nothing. */
    @Test
    void everyMethodOfTheDriversCollectorIsPassedOn() throws Exception {
        for (Method method : MetricsCollector.class.getMethods()) {
            Method passed = HarmlessMetrics.class.getMethod(method.getName(), method.getParameterTypes());
            assertThat(passed.getDeclaringClass()).as(method.toString()).isEqualTo(HarmlessMetrics.class);
        }
    }
}
