// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Loads the classes for JSON payloads on another thread while the application starts. Spring Boot does the same for its
 * Jackson support, which an application with this library may not have.
 */
final class JsonPreinitializer implements BackgroundPreinitializer {

    @Override
    public void preinitialize() {
        JsonMapper mapper = JsonMapper.builder().findAndAddModules().build();
        mapper.readValue(mapper.writeValueAsBytes(new Sample("", 1)), Sample.class);
    }

    private record Sample(String text, long number) {}
}
