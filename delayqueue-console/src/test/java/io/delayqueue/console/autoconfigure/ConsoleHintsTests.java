// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

class ConsoleHintsTests {

    @Test
    void eachTemplateAndFileIsKeptInANativeImage() throws IOException {
        RuntimeHints hints = new RuntimeHints();
        new ConsoleHints().registerHints(hints, null);

        List<String> files = new ArrayList<>();
        for (String folder : new String[] {"templates", "assets"}) {
            String path = "io/delayqueue/console/" + folder + "/";
            for (Resource file : new PathMatchingResourcePatternResolver().getResources("classpath:" + path + "*")) {
                files.add(path + file.getFilename());
            }
        }

        assertThat(files)
                .contains("io/delayqueue/console/templates/frame.mustache", "io/delayqueue/console/assets/console.css")
                .allSatisfy(file -> assertThat(RuntimeHintsPredicates.resource().forResource(file))
                        .accepts(hints));
    }
}
