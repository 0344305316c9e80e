// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.listener;

import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.handler.UnreadablePayloadException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.logging.impl.NoOpLog;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHandlingException;
import org.springframework.messaging.MessagingException;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.validation.BindingResult;

/**
 * A listener method that Spring calls. If the arguments cannot be created, the task becomes dead, because a retry would
 * fail in the same way; the message does not contain their values. Exceptions from the method are passed on unchanged.
 */
final class CalledMethod extends InvocableHandlerMethod {

    private static final int MOST_SHOWN = 5;
    private static final Pattern KEYS = Pattern.compile("\\[[^]]*]");
    private static final String MISSING = "Missing header '";

    CalledMethod(Object bean, Method method) {
        super(bean, method);
        setLogger(new NoOpLog()); // Spring's logger would log the arguments.
    }

    @Override
    protected @Nullable Object[] getMethodArgumentValues(Message<?> message, @Nullable Object... provided)
            throws Exception {
        try {
            return super.getMethodArgumentValues(message, provided);
        } catch (MessagingException | ConversionException ex) {
            // Do not log the message or the cause: both may contain the payload or a header.
            throw new UnreadablePayloadException("The arguments of " + getShortLogMessage() + " could not be created: "
                    + ex.getClass().getSimpleName() + details(ex));
        }
    }

    /**
     * Calls the method. Replaces Spring's implementation, whose message contains the arguments if the method cannot be
     * called or throws anything but an {@link Exception}. For a suspending function, returns the publisher that Spring
     * creates.
     */
    @Override
    protected @Nullable Object doInvoke(@Nullable Object... args) throws Exception {
        if (KotlinDetector.isSuspendingFunction(getMethod())) {
            return CoroutinesUtils.invokeSuspendingFunction(getBridgedMethod(), getBean(), args);
        }
        try {
            return getBridgedMethod().invoke(getBean(), args);
        } catch (IllegalArgumentException ex) {
            throw new NonRetryableTaskException(getShortLogMessage()
                    + " cannot be called with its arguments, for example null for a primitive type");
        } catch (InvocationTargetException ex) {
            throw CalledMethod.<RuntimeException>asItIs(ex.getTargetException());
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T asItIs(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static String details(Exception ex) {
        if (ex instanceof MethodArgumentNotValidException invalid && invalid.getBindingResult() != null) {
            return constraints(invalid.getBindingResult());
        }
        if (ex instanceof ConversionFailedException failed) {
            return " (to " + failed.getTargetType() + ")";
        }
        String message = (ex instanceof MessageHandlingException) ? String.valueOf(ex.getMessage()) : "";
        return message.startsWith(MISSING) ? " (" + message + ")" : "";
    }

    /** Returns the names of invalid fields, without map keys and indexes, and the violated constraints. */
    private static String constraints(BindingResult broken) {
        return broken.getFieldErrors().stream()
                .limit(MOST_SHOWN)
                .map(error -> KEYS.matcher(error.getField()).replaceAll("[]") + ": " + error.getCode())
                .collect(Collectors.joining(", ", " (", ")"));
    }
}
