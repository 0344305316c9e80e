// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.autoconfigure.RedisDurabilityReport;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.concurrent.SerialWorker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Checks Redis once, before any trigger starts. What it finds wrong stops the application from starting. When Redis
 * cannot be reached the application starts all the same, and the check is made in the background as soon as Redis
 * answers.
 */
public final class RedisStartCheck implements SmartInitializingSingleton, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(RedisStartCheck.class);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final Runnable firstConnection;
    private final RedisConnectionFactory connectionFactory;
    private final RedisServerCheck server;
    private final RedisCapabilityCheck capabilities;
    private final RedisDurabilityReport promises;
    private final ConfiguredLayouts layout;
    private final Scheduler scheduler;
    private @Nullable SerialWorker later;
    private final Runnable closeApplication;
    private volatile boolean serverIsChecked;
    private volatile boolean closed;

    /**
     * @param firstConnection waits for one that was begun before; what it throws is that Redis cannot be reached
     * @param closeApplication what to do when a layout is found unreadable after the start
     */
    RedisStartCheck(
            Runnable firstConnection,
            RedisConnectionFactory connectionFactory,
            RedisServerCheck server,
            RedisCapabilityCheck capabilities,
            RedisDurabilityReport promises,
            ConfiguredLayouts layout,
            Scheduler scheduler,
            Runnable closeApplication) {
        this.scheduler = scheduler;
        this.firstConnection = firstConnection;
        this.connectionFactory = connectionFactory;
        this.server = server;
        this.capabilities = capabilities;
        this.promises = promises;
        this.layout = layout;
        this.closeApplication = closeApplication;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (!layout.isNeeded()) {
            return;
        }
        try {
            check();
        } catch (InvalidDelayQueueSetupException ex) {
            throw ex;
        } catch (RuntimeException ex) {
            log.warn(
                    "Redis cannot be checked at start ({}); the application starts, delivers when Redis answers, and"
                            + " checks it then",
                    RedisReplies.rootMessage(ex));
            later = scheduler.worker();
            later.every(RETRY, this::checkAgain);
        }
    }

    private void check() {
        firstConnection.run();
        RedisInfo info = info();
        server.check(info);
        capabilities.check();
        layout.request();
        promises.logAtStart(info);
    }

    /** Asks each server once, for all checks. Returns null if it refuses. */
    private @Nullable RedisInfo info() {
        if (server.isOff()) {
            return null;
        }
        try (RedisConnection connection = connectionFactory.getConnection()) {
            return RedisInfo.ask(connection);
        } catch (RuntimeException ex) {
            if (!RedisReplies.isRefused(ex)) {
                throw ex;
            }
            return null;
        }
    }

    private void checkAgain() {
        if (closed) {
            return;
        }
        try {
            RedisInfo info = info();
            checkServerAgain(info);
            checkLayoutAgain(info);
        } catch (RuntimeException ex) {
            log.debug("Redis cannot be checked yet: {}", RedisReplies.rootMessage(ex));
            return;
        }
        stop();
    }

    /** Says what it finds once, however often the rest has to be tried. */
    private void checkServerAgain(@Nullable RedisInfo info) {
        if (serverIsChecked) {
            return;
        }
        try {
            server.check(info);
            capabilities.check();
            log.info("The Redis server has been checked");
        } catch (InvalidDelayQueueSetupException ex) {
            log.error("{} {}", ex.description(), ex.action());
        }
        serverIsChecked = true;
    }

    /** With a layout that cannot be read tasks would be stranded, so nothing may go on. */
    private void checkLayoutAgain(@Nullable RedisInfo info) {
        try {
            layout.request();
            promises.logAtStart(info);
        } catch (InvalidDelayQueueSetupException ex) {
            log.error("The application is closed: {} {}", ex.description(), ex.action());
            new Thread(closeApplication, "delayqueue-check-close").start();
        }
    }

    private void stop() {
        closed = true;
        if (later != null) {
            later.finish();
        }
    }

    @Override
    public void destroy() {
        stop();
    }
}
