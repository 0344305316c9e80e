// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a {@link Browser}, which is started once for a JVM and made as new before each test. The page that a test
 * failed on is found as an image in {@code target/browser}.
 */
public final class BrowserExtension implements BeforeEachCallback, AfterTestExecutionCallback, ParameterResolver {

    private record Shared(BrowserProcess process, Browser browser) implements AutoCloseable {

        static Shared start() {
            BrowserProcess process = new BrowserProcess();
            return new Shared(process, new Browser(process.driver()));
        }

        @Override
        public void close() {
            process.close();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        browser(context).reset();
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            String name = context.getRequiredTestClass().getSimpleName() + "-"
                    + context.getRequiredTestMethod().getName();
            browser(context).screenshot(Path.of("target", "browser", name + ".png"));
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Browser.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return browser(context);
    }

    private static Browser browser(ExtensionContext context) {
        // the session, not the plan: with forks, Surefire runs each class as a separate plan
        return context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(BrowserExtension.class))
                .computeIfAbsent(Shared.class, key -> Shared.start(), Shared.class)
                .browser();
    }
}
