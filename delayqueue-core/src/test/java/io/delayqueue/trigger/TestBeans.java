// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import java.util.Collection;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** A container with given beans, for triggers that a test makes itself. */
public final class TestBeans {

    private TestBeans() {}

    public static BeanFactory of(Object... beans) {
        return of(List.of(beans));
    }

    public static BeanFactory of(Collection<?> beans) {
        DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
        int number = 0;
        for (Object bean : beans) {
            factory.registerSingleton("bean" + number++, bean);
        }
        return factory;
    }
}
