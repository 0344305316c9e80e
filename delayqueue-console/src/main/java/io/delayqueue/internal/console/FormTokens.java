// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.internal.console.request.ConsoleRequest.Origin;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other sites from sending the console's forms in the name of who looks at it, where the application has no protection of
 * its own. A form has a token, signed for its caller and good for half a day, and has to come from the console itself, as
 * the browser tells. No cookie and no session is needed; processes that answer each other's forms need the same secret.
 */
final class FormTokens {

    static final String PARAMETER = "_token";

    private static final String ALGORITHM = "HmacSHA256";
    private static final Duration GOOD_FOR = Duration.ofHours(12);

    private final SecretKeySpec key;
    private final InstantSource clock;

    /** @param secret null for one that only this process knows */
    FormTokens(@Nullable String secret, InstantSource clock) {
        this.key = new SecretKeySpec(secret == null ? random() : secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
        this.clock = clock;
    }

    private static byte[] random() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    String issue(String caller) {
        // By the hour, so that a part of a page which has not changed is the same text.
        long hour = Duration.ofHours(1).toMillis();
        long until = (clock.millis() / hour + 1) * hour + GOOD_FOR.toMillis();
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(ByteBuffer.allocate(40)
                        .putLong(until)
                        .put(signature(until, caller))
                        .array());
    }

    /**
     * Why a form is not taken; null where it is.
     *
     * @param isProtected whether the application has looked for a token of its own; what the browser tells is heeded all the
     *     same, for the application may have left the console's path out
     */
    @Nullable
    String refusal(Origin origin, String caller, @Nullable String token, boolean isProtected) {
        if (isProtected ? isForeign(origin) : !isOwn(origin)) {
            return "The form did not come from the console itself, so nothing was changed. Where a proxy stands in front of"
                    + " the application, it has to pass on the host that the browser has asked for.";
        }
        if (!isProtected && (token == null || !isGood(token, caller))) {
            return "The form is too old, or comes from another process of the application, so nothing was changed. Load the"
                    + " page again and repeat it. Processes behind a load balancer need the same"
                    + " delayqueue.console.csrf-secret.";
        }
        return null;
    }

    private static boolean isForeign(Origin origin) {
        return (origin.fetchSite() != null || origin.origin() != null) && !isOwn(origin);
    }

    private static boolean isOwn(Origin origin) {
        String site = origin.fetchSite();
        if (site != null) {
            return site.equals("same-origin");
        }
        String from = origin.origin();
        int scheme = from == null ? -1 : from.indexOf("://");
        return from != null && scheme > 0 && from.substring(scheme + 3).equalsIgnoreCase(origin.host());
    }

    private boolean isGood(String token, String caller) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(token));
            if (bytes.remaining() != 40) {
                return false;
            }
            long until = bytes.getLong();
            byte[] signature = new byte[32];
            bytes.get(signature);
            return MessageDigest.isEqual(signature, signature(until, caller)) && clock.millis() < until;
        } catch (IllegalArgumentException ex) {
            return false;
        }
    }

    private byte[] signature(long until, String caller) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(ByteBuffer.allocate(8).putLong(0, until).array());
            return mac.doFinal(caller.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
