// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.rabbit.intake.Intake;
import io.delayqueue.internal.rabbit.intake.IntakeConnection;
import io.delayqueue.internal.rabbit.intake.IntakeSettings;
import io.delayqueue.internal.transaction.TaskChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/** Starts and stops the intakes of an application, which share a connection. Thread-safe. */
public final class RabbitIntakes implements SmartLifecycle, DisposableBean {

    private final Supplier<TaskChanges> changes;
    private final Supplier<IntakeConnection> connections;
    private final Map<String, Intake> intakes = new TreeMap<>();
    private final List<Consumer<Intake>> watchers = new ArrayList<>();
    private @Nullable IntakeConnection connection;
    private boolean running;

    /**
     * @param changes supplies the task changes; called only if there is an intake, because a test may have mocked the
     *     template
     * @param connections creates the connection; called only if there is an intake
     */
    public RabbitIntakes(
            List<IntakeSettings> settings, Supplier<TaskChanges> changes, Supplier<IntakeConnection> connections) {
        this.changes = changes;
        this.connections = connections;
        settings.forEach(this::add);
    }

    /** Adds an intake, unless one with this name exists. Starts it if the others have been started. */
    public synchronized void add(IntakeSettings settings) {
        if (intakes.containsKey(settings.name())) {
            return;
        }
        if (connection == null) {
            connection = connections.get();
        }
        Intake intake = new Intake(settings, connection, changes.get());
        intakes.put(settings.name(), intake);
        watchers.forEach(watcher -> watcher.accept(intake));
        if (running) {
            intake.start();
        }
    }

    /** Calls the watcher with each intake, including intakes that are added later. */
    public synchronized void each(Consumer<Intake> watcher) {
        watchers.add(watcher);
        intakes.values().forEach(watcher);
    }

    /**
     * Returns the intakes by name, each with the reason why it currently accepts no messages, or empty if it accepts
     * messages.
     */
    public synchronized Map<String, Optional<String>> problems() {
        Map<String, Optional<String>> problems = new TreeMap<>();
        intakes.forEach((name, intake) -> problems.put(name, Optional.ofNullable(intake.problem())));
        return problems;
    }

    @Override
    public synchronized void start() {
        running = true;
        intakes.values().forEach(Intake::start);
    }

    @Override
    public void stop() {
        List<Intake> ending;
        synchronized (this) {
            running = false;
            ending = List.copyOf(intakes.values());
        }
        ending.forEach(Intake::end);
        ending.forEach(Intake::stop);
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    @Override
    public synchronized void destroy() {
        if (connection != null) {
            connection.close();
        }
    }
}
