// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.ApplicationContext;

class ServletConsoleExposureIntegrationTests extends ConsoleExposureContract {

    @Override
    void run(ClassLoader classes, String[] properties, ContextConsumer<? super ApplicationContext> use) {
        new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
                .withUserConfiguration(Application.class)
                .withClassLoader(classes)
                .withPropertyValues(properties)
                .run(use::accept);
    }
}
