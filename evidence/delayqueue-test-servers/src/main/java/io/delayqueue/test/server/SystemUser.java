// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The user for a server that refuses to run as root: another user if this process is root, otherwise the same. */
record SystemUser(@Nullable String other) {

    static SystemUser whoRuns(DatabaseProduct product) {
        if (!"root".equals(System.getProperty("user.name"))) {
            return new SystemUser(null);
        }
        return Stream.of(product.systemUser(), "nobody")
                .filter(SystemUser::exists)
                .findFirst()
                .map(SystemUser::new)
                .orElseThrow(() -> new TestServerException(product.name()
                        + " does not run as root, and there is neither a user " + product.systemUser()
                        + " nor nobody on this machine."));
    }

    private static boolean exists(String name) {
        try {
            return !principal(name).getName().isEmpty();
        } catch (UserPrincipalNotFoundException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static UserPrincipal principal(String name) throws IOException {
        return Path.of("/").getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
    }

    /** Makes the user the owner of the folder and its contents. */
    void own(Path folder) {
        if (other == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            UserPrincipal owner = principal(other);
            for (Path file : files.toList()) {
                Files.setOwner(file, owner);
            }
        } catch (IOException e) {
            throw new TestServerException("Cannot give " + folder + " to the user " + other, e);
        }
    }

    /** Returns the command that runs this command as the user, in the same process, so that signals reach it. */
    List<String> as(List<String> command) {
        if (other == null) {
            return command;
        }
        List<String> changed =
                new ArrayList<>(List.of("setpriv", "--reuid=" + other, "--regid=" + group(), "--clear-groups", "--"));
        changed.addAll(command);
        return changed;
    }

    private String group() {
        return "nobody".equals(other) ? "nogroup" : String.valueOf(other);
    }
}
