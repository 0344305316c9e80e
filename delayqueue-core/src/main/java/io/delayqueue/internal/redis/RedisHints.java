// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/** Registers the scripts for ahead-of-time builds. */
final class RedisHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern(ClassUtils.classPackageAsResourcePath(Script.class) + "/*.lua");
    }
}
