// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** A user that exists from the start of a RabbitMQ. The permissions are regular expressions. */
record RabbitUser(String name, String password, String tags, String configure, String write, String read) {

    private static final RabbitUser ADMIN = new RabbitUser("guest", "guest", "administrator", ".*", ".*", ".*");
    /** May only publish, to every exchange: the permissions that the library needs if it declares nothing. */
    static final RabbitUser PUBLISHER = new RabbitUser(LeastRights.USER, LeastRights.PASSWORD, "", "^$", ".*", "^$");

    /** Returns a file for {@code load_definitions}, with the standard users and these. */
    static String definitions(List<RabbitUser> more) {
        List<RabbitUser> all = new java.util.ArrayList<>(List.of(ADMIN, PUBLISHER));
        all.addAll(more);
        return "{\"vhosts\": [{\"name\": \"/\"}], \"users\": ["
                + all.stream().map(RabbitUser::user).collect(Collectors.joining(", "))
                + "], \"permissions\": ["
                + all.stream().map(RabbitUser::permissions).collect(Collectors.joining(", "))
                + "]}";
    }

    private String user() {
        return "{\"name\": \"%s\", \"password_hash\": \"%s\", \"hashing_algorithm\": \"rabbit_password_hashing_sha256\", \"tags\": \"%s\"}"
                .formatted(escaped(name), hash(password), escaped(tags));
    }

    private String permissions() {
        return "{\"user\": \"%s\", \"vhost\": \"/\", \"configure\": \"%s\", \"write\": \"%s\", \"read\": \"%s\"}"
                .formatted(escaped(name), escaped(configure), escaped(write), escaped(read));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /**
     * Returns a password hash as RabbitMQ stores it: four bytes of salt, and the SHA-256 of the salt and the password.
     */
    private static String hash(String password) {
        byte[] salt = new byte[4];
        new SecureRandom().nextBytes(salt);
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(salt);
            byte[] hash = sha256.digest(password.getBytes(StandardCharsets.UTF_8));
            byte[] both = new byte[salt.length + hash.length];
            System.arraycopy(salt, 0, both, 0, salt.length);
            System.arraycopy(hash, 0, both, salt.length, hash.length);
            return Base64.getEncoder().encodeToString(both);
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("Every Java platform has SHA-256", ex);
        }
    }
}
