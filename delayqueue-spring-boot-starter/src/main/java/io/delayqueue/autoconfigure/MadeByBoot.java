// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import java.lang.reflect.Method;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Tells a bean that Spring Boot made, by its properties and connection details, from the application's own. */
final class MadeByBoot {

    private MadeByBoot() {}

    /**
     * Whether there is one bean of this type only, and a configuration in the package of this one makes it. An
     * ahead-of-time build leaves the method that makes a bean, but no name of the bean that has the method.
     */
    static boolean isOnly(ConfigurableListableBeanFactory beans, Class<?> type, Class<?> autoConfiguration) {
        String[] names = beans.getBeanNamesForType(type, true, false);
        return names.length == 1 && is(beans, names[0], autoConfiguration);
    }

    /** Whether a configuration in the package of this one makes the bean of this name. */
    static boolean is(ConfigurableListableBeanFactory beans, String name, Class<?> autoConfiguration) {
        if (!beans.containsBeanDefinition(name)) {
            return false;
        }
        Method maker = (beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition)
                ? definition.getResolvedFactoryMethod()
                : null;
        return maker != null && maker.getDeclaringClass().getPackageName().equals(autoConfiguration.getPackageName());
    }
}
