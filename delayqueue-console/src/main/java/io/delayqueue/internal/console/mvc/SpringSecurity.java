// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.mvc;

import io.delayqueue.internal.console.ConsoleAnswer.Steps;
import io.delayqueue.internal.console.RulePaths;
import io.delayqueue.internal.console.request.ConsoleRequest.Csrf;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.concurrent.DelegatingSecurityContextRunnable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.WebInvocationPrivilegeEvaluator;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.security.web.csrf.CsrfToken;

/** Spring Security, in front of the console by the application's own filter chains. */
public final class SpringSecurity implements ApplicationSecurity {

    private static final Logger log = LoggerFactory.getLogger(SpringSecurity.class);

    private final AtomicBoolean toldOfRule = new AtomicBoolean();
    private final WebInvocationPrivilegeEvaluator rules;
    private final List<SecurityFilterChain> chains;

    public SpringSecurity(WebInvocationPrivilegeEvaluator rules, List<SecurityFilterChain> chains) {
        this.rules = rules;
        this.chains = List.copyOf(chains);
    }

    /** The request looks for its user in the thread's context, which streams of events do not have. */
    @Override
    public Predicate<String> roles(HttpServletRequest request) {
        SecurityContext context = SecurityContextHolder.getContext();
        return role -> {
            AtomicBoolean hasRole = new AtomicBoolean();
            new DelegatingSecurityContextRunnable(() -> hasRole.set(request.isUserInRole(role)), context).run();
            return hasRole.get();
        };
    }

    @Override
    public boolean hasRuleFor(RulePaths paths, HttpServletRequest request) {
        Authentication nobody = new PreAuthenticatedAuthenticationToken("delayqueue-console", "", List.of());
        Predicate<String> refused =
                path -> !rules.isAllowed(request.getContextPath(), path, request.getMethod(), nobody);
        try {
            return paths.own().stream().allMatch(refused)
                    && paths.elsewhere().stream().noneMatch(path -> isGuarded(path, request) && refused.test(path));
        } catch (UnsupportedOperationException ex) {
            // Of a rule that asks more of a request, here or elsewhere: what it says is not known, so it opens nothing.
            if (toldOfRule.compareAndSet(false, true)) {
                log.warn(
                        "The rules of the application's security cannot be tried, because one asks more of a request than"
                                + " its path and method, such as its IP address. They do not open the console. Name roles in"
                                + " delayqueue.console.roles",
                        ex);
            }
            return false;
        }
    }

    /** Where no chain stands everybody may go, of which the rules say nothing. */
    private boolean isGuarded(String path, HttpServletRequest request) {
        return chains.stream().anyMatch(chain -> chain.matches(new RequestElsewhere(request, path)));
    }

    /** Where a filter chain has let somebody unknown through it is the chain that has to ask, such as by a form. */
    @Override
    public void askWhoItIs() {
        if (SecurityContextHolder.getContext().getAuthentication() instanceof AnonymousAuthenticationToken) {
            throw new AccessDeniedException("The console is for those who have signed in");
        }
    }

    @Override
    public @Nullable Csrf csrf(HttpServletRequest request) {
        return request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
                ? new Csrf(token.getParameterName(), token.getToken())
                : null;
    }

    @Override
    public Steps asCaller(Steps steps) {
        SecurityContext caller = SecurityContextHolder.getContext();
        return () -> {
            SecurityContextHolder.setContext(caller);
            try {
                return steps.next();
            } finally {
                SecurityContextHolder.clearContext();
            }
        };
    }
}
