// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.mvc;

import io.delayqueue.internal.console.ConsoleAnswer.Steps;
import io.delayqueue.internal.console.RulePaths;
import io.delayqueue.internal.console.request.ConsoleRequest.Csrf;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the application's security has to do with the console. */
public interface ApplicationSecurity {

    /** There is none. */
    ApplicationSecurity NONE = new ApplicationSecurity() {

        @Override
        public Predicate<String> roles(HttpServletRequest request) {
            return request::isUserInRole;
        }

        @Override
        public boolean hasRuleFor(RulePaths paths, HttpServletRequest request) {
            return false;
        }

        @Override
        public void askWhoItIs() {}

        @Override
        public @Nullable Csrf csrf(HttpServletRequest request) {
            return null;
        }

        @Override
        public Steps asCaller(Steps steps) {
            return steps;
        }
    };

    /** Tells whether the request's user has a role, also on other threads and when the request has ended. */
    Predicate<String> roles(HttpServletRequest request);

    /** Whether there is a {@linkplain RulePaths rule} for the console, which is asked for by a request. */
    boolean hasRuleFor(RulePaths paths, HttpServletRequest request);

    /** Throws what makes the application ask, where it can. */
    void askWhoItIs();

    /** What it wants to see in the forms; null for nothing. */
    @Nullable
    Csrf csrf(HttpServletRequest request);

    /** The same steps, taken on other threads as who asks on this one. */
    Steps asCaller(Steps steps);
}
