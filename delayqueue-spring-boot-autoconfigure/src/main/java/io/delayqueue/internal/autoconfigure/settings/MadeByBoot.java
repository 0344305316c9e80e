// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import java.lang.reflect.Method;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Distinguishes beans that Spring Boot created from its properties and connection details from the application's own.
 */
public final class MadeByBoot {

    private MadeByBoot() {}

    /**
     * Returns whether a configuration in this package creates the bean. An ahead-of-time build keeps the bean's factory
     * method but not the name of the factory bean.
     */
    public static boolean is(ConfigurableListableBeanFactory beans, String name, String ofBoot) {
        if (!beans.containsBeanDefinition(name)) {
            return false;
        }
        Method maker = (beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition)
                ? definition.getResolvedFactoryMethod()
                : null;
        return maker != null && maker.getDeclaringClass().getPackageName().equals(ofBoot);
    }
}
