// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;

/** Registers listener methods, which are called by reflection, and their payload types for ahead-of-time builds. */
final class ListenerHints implements BeanRegistrationAotProcessor {

    private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        // A bean within another bean's definition, such as Spring Security's filters, cannot be looked up by name.
        Class<?> found = bean.isInnerBean() ? null : bean.getBeanFactory().getType(bean.getBeanName(), false);
        Class<?> type = ClassUtils.getUserClass((found == null) ? bean.getBeanClass() : found);
        List<Method> methods = ListenerEndpoint.of(type).stream()
                .flatMap(endpoint -> endpoint.methods().stream())
                .toList();
        if (methods.isEmpty()) {
            return null;
        }
        return (generation, code) -> {
            ReflectionHints hints = generation.getRuntimeHints().reflection();
            methods.forEach(method -> register(hints, type, method));
        };
    }

    private void register(ReflectionHints hints, Class<?> type, Method method) {
        hints.registerMethod(method, ExecutableMode.INVOKE);
        for (int i = 0; i < method.getParameterCount(); i++) {
            MethodParameter parameter = new MethodParameter(method, i).withContainingClass(type);
            if (PayloadParameter.isPayload(parameter)) {
                binding.registerReflectionHints(hints, PayloadParameter.decodedType(parameter));
            }
        }
    }
}
