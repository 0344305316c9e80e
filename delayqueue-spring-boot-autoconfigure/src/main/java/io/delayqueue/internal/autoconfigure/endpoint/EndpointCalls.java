// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.control.web.TrustedHosts;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationArgumentResolver;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * Passes the complete request to the endpoint's operations. Spring Boot passes only declared parameters, so that
 * unknown ones could not be rejected, and lets parameters of the query and the body override the path.
 *
 * @param askedHosts returns the host names in the current request; empty if they were already checked
 * @param located sets the header {@code Location} of the current response
 */
public record EndpointCalls(Supplier<List<String>> askedHosts, TrustedHosts hosts, Consumer<String> located)
        implements OperationInvokerAdvisor {

    private static final String PATH = "path";
    private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

    @Override
    public OperationInvoker apply(
            EndpointId endpoint, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        return endpoint.equals(DelayQueueEndpoint.ID) ? context -> invoker.invoke(whole(context)) : invoker;
    }

    private InvocationContext whole(InvocationContext context) {
        Map<String, @Nullable Object> given = new LinkedHashMap<>(context.getArguments());
        Object path = given.remove(PATH);
        // The path is an array of segments. Any other value comes from a parameter of the same name that replaced the
        // path.
        if (path != null && !(path instanceof String[])) {
            throw new InvalidEndpointRequestException(
                    "The parameter '" + PATH + "' would override the path", "'" + PATH + "' is not a parameter");
        }
        SecurityContext security = context.resolveArgument(SecurityContext.class);
        EndpointCall call = call(security == null ? SecurityContext.NONE : security, given);
        return new InvocationContext(
                security == null ? SecurityContext.NONE : security,
                path == null ? Map.of() : Map.of(PATH, path),
                OperationArgumentResolver.of(EndpointCall.class, () -> call),
                new Delegate(context));
    }

    private EndpointCall call(SecurityContext security, Map<String, @Nullable Object> given) {
        Principal principal = security.getPrincipal();
        if (principal != null && isKnown(principal)) {
            return new EndpointCall(Caller.of(principal, security::isUserInRole), given, located, false);
        }
        List<String> asked = askedHosts.get();
        return new EndpointCall(Caller.unknown("anonymous"), given, located, !asked.isEmpty() && !hosts.trust(asked));
    }

    /** Returns whether a caller has signed in. In WebFlux, Spring Security can give others a principal, too. */
    static boolean isKnown(Principal principal) {
        return !principal.getClass().getName().equals(ANONYMOUS);
    }

    private record Delegate(InvocationContext context) implements OperationArgumentResolver {

        @Override
        public boolean canResolve(Class<?> type) {
            return context.canResolve(type);
        }

        @Override
        public <T> @Nullable T resolve(Class<T> type) {
            return context.resolveArgument(type);
        }
    }
}
