// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A PgBouncer between applications and a PostgreSQL that a test controls. It pools by transaction: two transactions of
 * one connection may use two sessions of the server, and each session serves one client after the other.
 *
 * <p>PostgreSQL's JDBC driver needs {@code prepareThreshold=0} here, unless the PgBouncer is at least 1.21 and its
 * {@code max_prepared_statements} is set: a statement that was prepared in one session is unknown in another.
 *
 * <p>PgBouncer refuses to run as root. Under root it runs as the user of PostgreSQL's Debian package, or as {@code
 * nobody}.
 */
public final class PoolerServer extends TestServer {

    /** The environment variable that names the program, if it is not on the path. */
    public static final String PROGRAM_VARIABLE = "DELAYQUEUE_TEST_PGBOUNCER";

    private static final Path DEBIAN = Path.of("/usr/sbin/pgbouncer");

    private final PostgresProduct product = new PostgresProduct();
    private final DatabaseServer server;
    private final int sessions;

    private PoolerServer(DatabaseServer server, int sessions) {
        super(new ServerFolder("pgbouncer"), FreePort.next());
        this.server = server;
        this.sessions = sessions;
    }

    /**
     * Starts a PgBouncer in front of a running server.
     *
     * @param sessions sessions with the server per database, shared by all clients
     * @throws TestServerException if this machine has no PgBouncer; the message explains how to install it
     */
    public static PoolerServer inFrontOf(DatabaseServer server, int sessions) {
        PoolerServer pooler = new PoolerServer(server, sessions);
        try {
            pooler.start();
            return pooler;
        } catch (RuntimeException e) {
            pooler.close();
            throw e;
        }
    }

    @Override
    ServerProcess launch() {
        Path program = Executable.first(Stream.concat(Executable.named(PROGRAM_VARIABLE).stream(), Stream.of(DEBIAN)))
                .or(() -> Executable.onPath("pgbouncer"))
                .orElseThrow(
                        () -> new TestServerException("No pgbouncer. Install it (Debian and Ubuntu: apt-get install"
                                + " pgbouncer; macOS: brew install pgbouncer), or set " + PROGRAM_VARIABLE
                                + " to its path."));
        Path settings = folder().write("pgbouncer.ini", settings());
        SystemUser user = SystemUser.whoRuns(product);
        user.own(folder().path());
        return ServerProcess.start(
                user.as(List.of(program.toString(), settings.toString())), Map.of(), folder(), folder().log());
    }

    private List<String> settings() {
        String[] login = String.valueOf(server.uri().getUserInfo()).split(":", 2);
        return List.of(
                "[databases]",
                "* = host=" + server.host() + " port=" + server.port() + " user=" + login[0] + " password="
                        + (login.length > 1 ? login[1] : ""),
                "[pgbouncer]",
                "listen_addr = " + host(),
                "listen_port = " + port(),
                "unix_socket_dir =",
                "auth_type = any",
                "pool_mode = transaction",
                "default_pool_size = " + sessions,
                "max_client_conn = 500",
                // PostgreSQL's driver sends this, and a transaction pooler cannot keep it
                "ignore_startup_parameters = extra_float_digits");
    }

    @Override
    boolean answers() {
        return product.answers(host(), port());
    }

    @Override
    String stopSignal() {
        return "INT";
    }

    @Override
    public URI uri() {
        return product.uri(host(), port());
    }

    /** Returns a database of the server, with an address through this pooler. */
    public TestDatabase through(TestDatabase database) {
        String name = database.jdbcUrl().substring(database.jdbcUrl().lastIndexOf('/') + 1);
        return new TestDatabase(product.jdbcUrl(host(), port(), name), database.user(), database.password());
    }

    @Override
    public String description() {
        return "PgBouncer on " + host() + ":" + port() + " in front of " + server.description();
    }
}
