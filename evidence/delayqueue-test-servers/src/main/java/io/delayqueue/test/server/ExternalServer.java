// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.util.Optional;

/** A server at an address that the environment gave: it is somebody else's, so it can be used but not commanded. */
abstract class ExternalServer implements TestServer {

    private final String kind;
    private final String variable;
    private final URI uri;
    private final int port;

    ExternalServer(String kind, String variable, URI uri, int defaultPort) {
        if (uri.getHost() == null) {
            throw new TestServerException(variable + " names no host");
        }
        this.kind = kind;
        this.variable = variable;
        this.uri = uri;
        this.port = uri.getPort() > 0 ? uri.getPort() : defaultPort;
    }

    static Optional<URI> address(String variable) {
        String value = System.getenv(variable);
        if (value == null || value.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(URI.create(value.strip()));
        } catch (IllegalArgumentException e) {
            // the cause would show the password
            throw new TestServerException("The value of " + variable + " is not a URI");
        }
    }

    /** Whether a client gets a sensible answer now. */
    abstract boolean answers();

    @Override
    public void start() {
        if (!answers()) {
            throw new TestServerException(description() + " does not answer. Correct or remove the variable.");
        }
    }

    @Override
    public void stop() {
        throw unsupported("stop");
    }

    @Override
    public void kill() {
        throw unsupported("kill");
    }

    @Override
    public void suspend() {
        throw unsupported("suspend");
    }

    @Override
    public void resume() {
        throw unsupported("resume");
    }

    @Override
    public long pid() {
        throw unsupported("tell the process id of");
    }

    final UnsupportedOperationException unsupported(String verb) {
        return new UnsupportedOperationException("Cannot " + verb + " the " + description()
                + ": the test did not start it. Remove the variable to run this test on a server of its own.");
    }

    @Override
    public boolean isRunning() {
        return answers();
    }

    @Override
    public String host() {
        return uri.getHost();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public URI uri() {
        return uri;
    }

    @Override
    public String description() {
        return kind + " of the environment variable " + variable + " at " + host() + ":" + port;
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return description();
    }
}
