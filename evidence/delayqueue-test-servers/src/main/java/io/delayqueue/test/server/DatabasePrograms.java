// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The programs of a database on this machine, and the user that runs them. */
record DatabasePrograms(DatabaseProduct product, Path server, Path initializer, SystemUser user) {

    static DatabasePrograms find(DatabaseProduct product) {
        List<Path> folders =
                Executable.named(product.programsVariable()).map(List::of).orElseGet(product::folders);
        return new DatabasePrograms(
                product,
                program(product, folders, product.serverProgram()),
                program(product, folders, product.initializerProgram()),
                SystemUser.whoRuns(product));
    }

    private static Path program(DatabaseProduct product, List<Path> folders, String name) {
        return Executable.first(folders.stream().map(folder -> folder.resolve(name)))
                .or(() -> Executable.onPath(name))
                .orElseThrow(() ->
                        new TestServerException("No " + name + ". Install " + product.name() + " (" + product.advice()
                                + "), or set " + product.programsVariable() + " to the folder of its programs."));
    }

    /** Creates the data of a new server and makes the server's user the owner of the folder. */
    void initialize(ServerFolder folder, Path data) {
        product.prepare(folder);
        user.own(folder.path());
        Executable.output(user.as(product.initialize(initializer, data)), Map.of());
    }

    List<String> serve(ServerFolder folder, Path data, int port, List<String> settings) {
        Stream<String> arguments = settings.stream().flatMap(setting -> product.setting(setting).stream());
        return user.as(Stream.concat(product.serve(server, folder, data, port).stream(), arguments)
                .toList());
    }
}
