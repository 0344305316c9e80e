// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** MySQL in place of MariaDB. */
final class MySqlProduct extends MariaDbProduct {

    /** The name of its server, which also creates the data. */
    static final String PROGRAM = "mysqld";

    @Override
    public String name() {
        return "MySQL";
    }

    @Override
    public String scheme() {
        return "mysql";
    }

    @Override
    public String serverProgram() {
        return PROGRAM;
    }

    @Override
    public String initializerProgram() {
        return PROGRAM;
    }

    @Override
    public List<String> initialize(Path program, Path data) {
        return List.of(
                program.toString(),
                "--no-defaults",
                "--initialize-insecure",
                "--secure-file-priv=NULL",
                "--datadir=" + data);
    }

    /** Needs no folder for imports, which its package would create. */
    @Override
    public List<String> serve(Path program, ServerFolder folder, Path data, int port) {
        return Stream.concat(super.serve(program, folder, data, port).stream(), Stream.of("--secure-file-priv=NULL"))
                .toList();
    }
}
