// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A process of ours, or of another user where we are root. It knows no users: all clients log in as the server's. */
final class PgBouncer extends LocalServer implements PoolerServer {

    private static final Path DEBIAN = Path.of("/usr/sbin/pgbouncer");

    private final PostgresProduct product = new PostgresProduct();
    private final DatabaseServer server;
    private final int sessions;

    PgBouncer(DatabaseServer server, int sessions) {
        super(new ServerFolder("pgbouncer"), FreePort.next());
        this.server = server;
        this.sessions = sessions;
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
                // what PostgreSQL's driver sends, and a pooler by transaction cannot keep
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

    @Override
    public TestDatabase through(TestDatabase database) {
        String name = database.jdbcUrl().substring(database.jdbcUrl().lastIndexOf('/') + 1);
        return new TestDatabase(product.jdbcUrl(host(), port(), name), database.user(), database.password());
    }

    @Override
    public String description() {
        return "PgBouncer on " + host() + ":" + port() + " in front of " + server.description();
    }
}
