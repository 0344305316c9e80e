// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.AddressResolver;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ReflectionUtils;

/**
 * Resolver for the addresses of another connection factory. That factory has no public getter for its addresses, and
 * its host and port are not sufficient if it has several addresses. This is no record, because the Javadoc tool of Java
 * 17 stops at a class nested in a record that an annotation names.
 */
public final class PublisherAddresses implements AddressResolver {

    private final AbstractConnectionFactory factory;

    public PublisherAddresses(AbstractConnectionFactory factory) {
        this.factory = factory;
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<Address> getAddresses() throws IOException {
        Method getter = getter();
        if (getter != null) {
            ReflectionUtils.makeAccessible(getter);
            List<Address> addresses = (List<Address>) addresses(getter);
            if (addresses != null && !addresses.isEmpty()) {
                return List.copyOf(addresses);
            }
        }
        return List.of(new Address(factory.getHost(), factory.getPort()));
    }

    private @Nullable Object addresses(Method getter) throws IOException {
        try {
            return ReflectionUtils.invokeMethod(getter, factory);
        } catch (UndeclaredThrowableException ex) {
            // If the application's resolver fails, the broker counts as unreachable.
            if (ex.getUndeclaredThrowable() instanceof IOException cause) {
                throw cause;
            }
            throw ex;
        }
    }

    private static @Nullable Method getter() {
        return ReflectionUtils.findMethod(AbstractConnectionFactory.class, "getAddresses");
    }

    /** Describes the other connection factory, for Spring's log of connections. */
    @Override
    public String toString() {
        return "addresses of " + factory;
    }

    /** Registers the getter for native images. */
    public static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            Method getter = getter();
            if (getter != null) {
                hints.reflection().registerMethod(getter, ExecutableMode.INVOKE);
            }
        }
    }
}
