// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.trigger.ScanTrigger;
import java.util.Map;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/** Rejects trigger beans that the container would not start or recognize. */
final class TriggerBeans {

    private TriggerBeans() {}

    /** @throws InvalidDelayQueueSetupException if there is such a bean */
    static void check(ListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(ScanTrigger.class)) {
            if (!beans.isSingleton(name)) {
                throw new InvalidDelayQueueSetupException(
                        "The trigger bean '" + name + "' is not a singleton, so the application would not start it.",
                        "Make it a singleton, without a @Scope.");
            }
        }
        Map<String, SmartLifecycle> others = beans.getBeansOfType(SmartLifecycle.class, false, false);
        others.forEach((name, bean) -> {
            Class<?> type = AopUtils.getTargetClass(bean);
            if (AopUtils.isJdkDynamicProxy(bean) && ScanTrigger.class.isAssignableFrom(type)) {
                throw new InvalidDelayQueueSetupException(
                        "The trigger bean '" + name + "' of type " + type.getName()
                                + " has an interface-based (JDK) proxy, for example because of an aspect, so it is "
                                + "no longer a ScanTrigger.",
                        "Proxy the class: leave spring.aop.proxy-target-class at true, or set "
                                + "proxyTargetClass=true where proxies are enabled. Or exclude triggers from the "
                                + "pointcut.");
            }
        });
    }
}
