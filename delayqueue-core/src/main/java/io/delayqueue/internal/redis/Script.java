// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The scripts, each behind its {@link Prelude}, read and hashed once. Their headers say what they take and return. */
public enum Script {
    SCHEDULE,
    POP_DUE,
    SETTLE,
    RELEASE,
    RENEW,
    CANCEL,
    RESCHEDULE,
    FIND,
    STATS,
    DEAD_PAGE,
    REDRIVE,
    DISCARD,
    TRIM_DEAD,
    PAUSE,
    RESUME,
    PURGE,
    MIGRATION_SCAN,
    MIGRATION_HOLD,
    MIGRATION_TAKE_IN,
    MIGRATION_END,
    TOKEN_RAISE,
    LAYOUT_PUT,
    LAYOUT_SEEN,
    MOVER_CLAIM,
    FORWARDER_CLAIM,
    KEYED,
    NOOP_WRITE,
    PROBE;

    private final byte[] source;
    private final String sha1;

    Script() {
        this.source = Prelude.before(read(fileName()), read("prelude")).getBytes(StandardCharsets.UTF_8);
        try {
            this.sha1 =
                    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("Every Java platform has SHA-1", ex);
        }
    }

    /**
     * Whether a caller may be given the answer to a second run when that to the first was lost. A cancel that has run finds
     * no task the second time, and NOT_FOUND would say that the task was delivered or never there. The same goes for dead tasks
     * that are discarded or redriven.
     */
    boolean answersAgain() {
        return this != CANCEL && this != DISCARD && this != REDRIVE;
    }

    String fileName() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    public byte[] source() {
        return source;
    }

    public String sha1() {
        return sha1;
    }

    private static String read(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("The script " + name + ".lua is not in this jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException ex) {
            throw new UncheckedIOException("The script " + name + ".lua cannot be read", ex);
        }
    }
}
