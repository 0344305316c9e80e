// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FieldErrorsTests {

    private static final String FORM = "<input id=\"from\" name=\"from\" value=\"\"><input id=\"to\" name=\"to\">";

    @Test
    void fieldWhenRefusedHasTheErrorAndKeepsWhatWasTyped() {
        assertThat(FieldErrors.at(FORM, "from", "so\"on", "no <time>"))
                .startsWith("<input id=\"from\" name=\"from\" value=\"so&quot;on\" aria-invalid=\"true\"")
                .contains("<p class=\"error\" id=\"field-error\">no &lt;time&gt;</p><input id=\"to\" name=\"to\">");
    }

    @Test
    void pageWithoutTheFieldStaysAsItIs() {
        assertThat(FieldErrors.at(FORM, "all", null, "x")).isEqualTo(FORM);
        String hidden = "<input type=\"hidden\" name=\"zone\" value=\"x\">";
        assertThat(FieldErrors.at(hidden, "zone", "x", "no zone")).isEqualTo(hidden);
    }
}
