// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/** Tells an ahead-of-time build of the scripts, which are read by name. */
final class RedisHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern(ClassUtils.classPackageAsResourcePath(Script.class) + "/*.lua");
    }
}
