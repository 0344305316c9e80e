// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.rights;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the rights against what the scripts and the classes use, and the documentation against the rights. */
class RedisRightsTests {

    private static final Path DOCS = Path.of("../docs/security.md");

    /** Methods of the driver's connections that send nothing. */
    private static final Set<String> NO_COMMANDS = Set.of(
            "async",
            "isOpen",
            "addListener",
            "removeListener",
            "getStatefulConnection",
            "closeAsync",
            "getConnection",
            "getConnectionAsync",
            "getOptions");

    private final RedisRights rights = RedisRights.of("dq");

    @Test
    void commandsAreThoseThatScriptsAndClassesUseAndTheStartChecks() throws IOException {
        Set<String> used = new TreeSet<>(commandsOfScripts());
        used.addAll(commandsOfClasses());
        used.add("info");
        assertThat(rights.commands()).containsExactlyElementsOf(used);
    }

    @Test
    void probeTriesEveryCommandOfTheScripts() throws IOException {
        assertThat(commandsOf(Files.readString(Path.of("../src-lua/probe.lua"))))
                .containsExactlyElementsOf(commandsOfScripts());
    }

    /** So that users who print their rights name no internal class. */
    @Test
    void jarWhenRunIsThisClass() {
        assertThat(Path.of("pom.xml")).content().contains("<mainClass>" + RedisRights.class.getName() + "</mainClass>");
    }

    @Test
    void userIsALineWithTheNameThePasswordAndTheRules() {
        assertThat(rights.user("shop", "s3cret#\\>")).startsWith("user shop reset on >s3cret#\\> resetkeys ~dq:");
    }

    @Test
    void inClusterAddsWhatTheDriverNeedsThere() {
        assertThat(rights.inCluster().commands()).containsAll(rights.commands()).contains("asking", "cluster|nodes");
    }

    private static Set<String> commandsOfScripts() throws IOException {
        Set<String> commands = new TreeSet<>();
        try (Stream<Path> scripts = Files.list(Path.of("../src-lua"))) {
            for (Path script : scripts.toList()) {
                commands.addAll(commandsOf(Files.readString(script)));
            }
        }
        return commands;
    }

    /**
     * An implementation that differs from the one that derives the rights: it uses quoted words after the name of the
     * call.
     */
    private static Set<String> commandsOf(String script) {
        Set<String> commands = new TreeSet<>();
        String[] calls = script.split("(redis\\s*\\.\\s*p?call|\\bsend)\\s*\\((?!command, )");
        for (int i = 1; i < calls.length; i++) {
            String call = calls[i].strip();
            assertThat(call).as("a command that can be read").startsWith("'");
            commands.add(call.substring(1, call.indexOf('\'', 1)).toLowerCase(Locale.ROOT));
        }
        return commands;
    }

    private static Set<String> commandsOfClasses() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.delayqueue");
        Pattern driver =
                Pattern.compile("io\\.lettuce\\.core(\\..*)?\\.api\\..*|io\\.lettuce\\.core\\.pubsub\\.api\\..*");
        return classes.stream()
                .flatMap(each -> each.getMethodCallsFromSelf().stream())
                .filter(call -> driver.matcher(call.getTargetOwner().getName()).matches())
                .map(JavaMethodCall::getName)
                .filter(name -> !NO_COMMANDS.contains(name))
                .map(name -> name.equals("waitForReplication") ? "wait" : name.toLowerCase(Locale.ROOT))
                .collect(toCollection(TreeSet::new));
    }

    @Test
    void rulesNameTheKeysAndChannelsOfThePrefixOnly() {
        assertThat(RedisRights.of("shop:eu").rules())
                .startsWith("resetkeys", "~shop:eu:{*}:*", "resetchannels", "&shop:eu:{*}:wake", "-@all");
        assertThatIllegalArgumentException().isThrownBy(() -> RedisRights.of("*"));
    }

    @Test
    void documentationShowsTheRights() throws IOException {
        String docs = Files.readString(DOCS).replaceAll("\\\\\n\\s*", "");
        for (RedisRights each : List.of(rights, rights.inCluster())) {
            assertThat(docs).contains("ACL SETUSER delayqueue reset on >PASSWORD " + String.join(" ", each.rules()));
        }
    }
}
