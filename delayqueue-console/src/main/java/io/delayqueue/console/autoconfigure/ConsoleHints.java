// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Registers the templates and assets of the pages for native images. */
final class ConsoleHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources()
                .registerPattern("io/delayqueue/console/templates/*")
                .registerPattern("io/delayqueue/console/assets/*");
    }
}
