// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.NamedThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import tools.jackson.databind.json.JsonMapper;

/**
 * Loads the classes for JSON payloads on another thread. A codec needs a mapper during the start, so the mapper's classes
 * are loaded during the start. The classes that read and write are loaded after the start, because they would delay it.
 * Spring Boot loads all of them for its Jackson support, which an application with this library may not have.
 */
final class JsonPreinitializer implements BackgroundPreinitializer, ApplicationListener<ApplicationStartedEvent> {

    private static final Logger log = LoggerFactory.getLogger(JsonPreinitializer.class);

    /** The system property that switches Spring Boot's preinitializers off. */
    private static final String IGNORED = "spring.backgroundpreinitializer.ignore";

    @Override
    public void preinitialize() {
        mapper();
    }

    /** Ignores failures, as Spring Boot does for {@link #preinitialize}. */
    @Override
    public void onApplicationEvent(ApplicationStartedEvent started) {
        if (!Boolean.getBoolean(IGNORED)) {
            Guard.run(
                    log,
                    "No thread to load the classes for JSON payloads",
                    () -> NamedThreads.HOUSEKEEPING
                            .newThread(() -> Guard.run(
                                    log,
                                    "The classes for JSON payloads could not be loaded",
                                    JsonPreinitializer::readAndWrite))
                            .start());
        }
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
