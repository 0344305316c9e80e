// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** What axe-core finds wrong with a page for people who use a screen reader or a keyboard, or see badly. */
public final class Accessibility {

    private static final String AXE = script();

    /** The rules about colours. */
    private static final List<String> OF_COLOURS = List.of("color-contrast", "link-in-text-block");

    private static final String RUN = """
            const done = arguments[arguments.length - 1];
            const options = {resultTypes: ['violations']};
            if (arguments[0].length > 0) {
                options.runOnly = {type: 'rule', values: arguments[0]};
            }
            axe.run(document, options).then(
                found => done(found.violations.map(rule => ({
                    rule: rule.id,
                    impact: rule.impact,
                    places: rule.nodes.map(node => node.target.join(' ') + ': ' + node.failureSummary).join(' | ')}))),
                error => done([{rule: 'axe', impact: 'critical', places: String(error)}]));
            """;

    private Accessibility() {}

    private static String script() {
        try (InputStream script = Accessibility.class.getResourceAsStream("/axe.min.js")) {
            if (script == null) {
                throw new IllegalStateException("axe-core is not on the class path");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns serious and critical faults of the current page. */
    public static List<String> faults(Browser browser) {
        return faults(browser, List.of());
    }

    /** Returns such faults of the colours only, for a page that was checked in other colours. */
    static List<String> faultsOfColours(Browser browser) {
        return faults(browser, OF_COLOURS);
    }

    @SuppressWarnings("unchecked")
    private static List<String> faults(Browser browser, List<String> rules) {
        if (Boolean.FALSE.equals(browser.script("return 'axe' in window"))) {
            browser.script(AXE);
        }
        List<Map<String, String>> violations = (List<Map<String, String>>) browser.asyncScript(RUN, rules);
        if (violations == null) {
            throw new IllegalStateException("axe-core gave no answer");
        }
        return violations.stream()
                .filter(found -> List.of("serious", "critical").contains(found.get("impact")))
                .map(found -> found.get("impact") + " " + found.get("rule") + " at " + found.get("places"))
                .toList();
    }
}
