// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import java.lang.reflect.Method;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Tells a bean that Spring Boot made, by its properties and connection details, from the application's own. */
public final class MadeByBoot {

    private MadeByBoot() {}

    /**
     * Whether a configuration in the package of this one makes the bean of this name. An ahead-of-time build leaves the
     * method that makes a bean, but no name of the bean that has the method.
     */
    public static boolean is(ConfigurableListableBeanFactory beans, String name, Class<?> autoConfiguration) {
        if (!beans.containsBeanDefinition(name)) {
            return false;
        }
        Method maker = (beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition)
                ? definition.getResolvedFactoryMethod()
                : null;
        return maker != null && maker.getDeclaringClass().getPackageName().equals(autoConfiguration.getPackageName());
    }
}
