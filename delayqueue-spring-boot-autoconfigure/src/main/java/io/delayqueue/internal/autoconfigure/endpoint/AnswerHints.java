// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.internal.control.InstanceView;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Registers the records that are written as JSON. */
final class AnswerHints implements RuntimeHintsRegistrar {

    private final BindingReflectionHintsRegistrar registrar = new BindingReflectionHintsRegistrar();

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        registrar.registerReflectionHints(hints.reflection(), DelayQueueAnswer.class.getPermittedSubclasses());
        registrar.registerReflectionHints(hints.reflection(), InstanceView.class);
    }
}
