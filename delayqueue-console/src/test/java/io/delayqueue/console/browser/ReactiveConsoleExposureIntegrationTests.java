// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.web.server.reactive.context.AnnotationConfigReactiveWebServerApplicationContext;
import org.springframework.context.ApplicationContext;

class ReactiveConsoleExposureIntegrationTests extends ConsoleExposureContract {

    @Override
    void run(ClassLoader classes, String[] properties, ContextConsumer<? super ApplicationContext> use) {
        new ReactiveWebApplicationContextRunner(AnnotationConfigReactiveWebServerApplicationContext::new)
                .withUserConfiguration(Application.class)
                .withClassLoader(classes)
                .withPropertyValues(properties)
                .run(use::accept);
    }
}
