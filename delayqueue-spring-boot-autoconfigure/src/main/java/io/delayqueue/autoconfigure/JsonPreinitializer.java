// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.internal.concurrent.NamedThreads;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import tools.jackson.databind.json.JsonMapper;

/**
 * Loads the classes for JSON payloads on another thread: those for a mapper while the application starts, because a
 * codec needs one, and those that read and write after the start, which they would delay. Spring Boot loads them for its
 * Jackson support, which an application with this library may not have.
 */
final class JsonPreinitializer implements BackgroundPreinitializer, ApplicationListener<ApplicationStartedEvent> {

    @Override
    public void preinitialize() {
        mapper();
    }

    /** Ignores failures, as Spring Boot does for {@link #preinitialize}. */
    @Override
    public void onApplicationEvent(ApplicationStartedEvent started) {
        CompletableFuture<Void> ignored = CompletableFuture.runAsync(
                JsonPreinitializer::readAndWrite,
                step -> NamedThreads.HOUSEKEEPING.newThread(step).start());
    }

    static void readAndWrite() {
        JsonMapper mapper = mapper();
        mapper.readValue(mapper.writeValueAsBytes(new Sample("", 1)), Sample.class);
    }

    private static JsonMapper mapper() {
        return JsonMapper.builder().findAndAddModules().build();
    }

    private record Sample(String text, long number) {}
}
