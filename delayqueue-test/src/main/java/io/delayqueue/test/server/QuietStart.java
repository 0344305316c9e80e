// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.lang.reflect.Field;
import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.logging.NullMessageLogger;
import org.apache.qpid.server.model.BrokerImpl;
import org.apache.qpid.server.model.SystemConfig;
import org.jspecify.annotations.Nullable;

/**
 * Turns off the broker's operational messages, which are several hundred INFO lines. Removes its JVM shutdown hook,
 * which would stop the broker before its users and cause connection errors in the application.
 */
final class QuietStart extends SystemLauncherListener.DefaultSystemLauncherListener {

    private @Nullable SystemConfig<?> config;

    @Override
    public void onContainerResolve(SystemConfig<?> systemConfig) {
        systemConfig.getEventLogger().setMessageLogger(new NullMessageLogger());
        config = systemConfig;
    }

    /** Removes the hook. Also called after a failed start. */
    @Override
    public void afterStartup() {
        if (config != null && config.getContainer() instanceof BrokerImpl broker) {
            removeShutdownHook(broker);
        }
    }

    /** Uses reflection, because the broker has no setting for its shutdown hook and keeps the only reference to it. */
    private static void removeShutdownHook(BrokerImpl broker) {
        try {
            Field hook = BrokerImpl.class.getDeclaredField("_shutdownHook");
            hook.setAccessible(true);
            if (hook.get(broker) instanceof Thread thread) {
                Runtime.getRuntime().removeShutdownHook(thread);
            }
        } catch (ReflectiveOperationException | RuntimeException ex) {
            // Another version of Apache Qpid, or the JVM is shutting down. At worst, the shutdown logs errors.
        }
    }
}
