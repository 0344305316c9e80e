// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/** A single connection to the broker, from opening to closing. */
final class BrokerSession implements BlockedListener {

    private static final Logger log = LoggerFactory.getLogger(BrokerSession.class);

    private final Connection connection;
    private final Consumer<String> trouble;
    private final long madeAt = System.nanoTime();
    private volatile boolean blocked;
    private volatile long unblockedAt = System.nanoTime() - Duration.ofDays(1).toNanos();

    /** @param trouble receives a warning when the broker blocks its publishers */
    BrokerSession(Connection connection, Consumer<String> trouble) {
        this.connection = connection;
        this.trouble = trouble;
        connection.addBlockedListener(this);
    }

    @Override
    public void handleBlocked(String reason) {
        blocked = true;
        trouble.accept("RabbitMQ blocks publishers on this connection until it unblocks them: " + reason);
    }

    @Override
    public void handleUnblocked() {
        unblockedAt = System.nanoTime();
        blocked = false;
        log.info("RabbitMQ no longer blocks its publishers");
    }

    Connection connection() {
        return connection;
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - madeAt);
    }

    boolean isBlocked() {
        return blocked;
    }

    boolean wasBlockedSince(long nanoTime) {
        return blocked || unblockedAt - nanoTime >= 0;
    }

    /**
     * Returns the address of the node, with the configured host name if there is one, because certificates are issued
     * for names.
     */
    @Nullable
    Address node() {
        InetAddress address = connection.getAddress();
        if (address == null) {
            return null;
        }
        String nameAndNumber = address.toString(); // Reads the name without a DNS lookup.
        String name = nameAndNumber.substring(0, nameAndNumber.lastIndexOf('/'));
        return new Address(name.isEmpty() ? address.getHostAddress() : name, connection.getPort());
    }

    String ending() {
        ShutdownSignalException reason = connection.getCloseReason();
        return (reason == null)
                ? "closed"
                : String.valueOf(
                        NestedExceptionUtils.getMostSpecificCause(reason).getMessage());
    }
}
