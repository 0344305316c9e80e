// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.lang.reflect.Field;
import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.logging.NullMessageLogger;
import org.apache.qpid.server.model.BrokerImpl;
import org.apache.qpid.server.model.SystemConfig;
import org.jspecify.annotations.Nullable;

/**
 * Turns off the broker's operational messages, some hundred INFO lines that mean nothing to the user of a test, and its
 * own end when the JVM ends: it would go at the same moment as the application begins to, and leave that with errors
 * about connections. What has started it stops it, after those who use it.
 */
final class QuietStart extends SystemLauncherListener.DefaultSystemLauncherListener {

    private @Nullable SystemConfig<?> config;

    @Override
    public void onContainerResolve(SystemConfig<?> systemConfig) {
        systemConfig.getEventLogger().setMessageLogger(new NullMessageLogger());
        config = systemConfig;
    }

    /** Also called when the start has failed. */
    @Override
    public void afterStartup() {
        if (config != null && config.getContainer() instanceof BrokerImpl broker) {
            removeShutdownHook(broker);
        }
    }

    /** There is no setting for it, and nobody else holds the thread. */
    private static void removeShutdownHook(BrokerImpl broker) {
        try {
            Field hook = BrokerImpl.class.getDeclaredField("_shutdownHook");
            hook.setAccessible(true);
            if (hook.get(broker) instanceof Thread thread) {
                Runtime.getRuntime().removeShutdownHook(thread);
            }
        } catch (ReflectiveOperationException | RuntimeException ex) {
            // Another version of Apache Qpid, or a JVM that is ending: the end may be noisy, and nothing else is wrong.
        }
    }
}
