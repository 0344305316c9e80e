// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.model.SystemConfig;

/** A running Apache Qpid broker. Only this class and {@link QuietStart} use its optional jars. */
final class QpidBroker {

    /** Time limit for the start. On a busy machine, the first client may wait longer than the time-out of a ping. */
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final SystemLauncher launcher = new SystemLauncher(new QuietStart());

    private QpidBroker() {}

    static QpidBroker start(EmbeddedAmqpBroker broker) {
        QpidBroker started = new QpidBroker();
        try {
            started.launcher.startup(configuration(broker.port()));
            if (!Pause.until(START_LIMIT, new AmqpPing(broker.uri())::isReady)) {
                throw new TestServerException(broker.description() + " does not answer");
            }
            return started;
        } catch (Exception | LinkageError e) {
            started.shutdown();
            throw new TestServerException(broker.description() + " did not start", e);
        }
    }

    private static Map<String, Object> configuration(int port) {
        Map<String, String> context = new HashMap<>();
        context.put(SystemConfig.QPID_WORK_DIR, System.getProperty("java.io.tmpdir") + "/delayqueue-qpid-unused");
        context.put("qpid.broker.defaultPreferenceStoreAttributes", "{\"type\": \"Noop\"}");
        context.put("qpid.amqp_port", "" + port);
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(SystemConfig.TYPE, "Memory");
        attributes.put(SystemConfig.CONTEXT, context);
        attributes.put(SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, false);
        attributes.put(
                SystemConfig.INITIAL_CONFIGURATION_LOCATION,
                Objects.requireNonNull(QpidBroker.class.getResource("embedded-amqp-broker.json"))
                        .toExternalForm());
        return attributes;
    }

    void shutdown() {
        launcher.shutdown();
    }
}
