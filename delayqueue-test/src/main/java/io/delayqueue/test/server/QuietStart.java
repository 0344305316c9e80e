// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.logging.NullMessageLogger;
import org.apache.qpid.server.model.SystemConfig;

/** Turns off the broker's operational messages, some hundred INFO lines that mean nothing to the user of a test. */
final class QuietStart extends SystemLauncherListener.DefaultSystemLauncherListener {

    @Override
    public void onContainerResolve(SystemConfig<?> systemConfig) {
        systemConfig.getEventLogger().setMessageLogger(new NullMessageLogger());
    }
}
