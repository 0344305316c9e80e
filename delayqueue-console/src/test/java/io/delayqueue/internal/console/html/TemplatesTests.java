// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.samskivert.mustache.MustacheException;
import io.delayqueue.BadInput;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TemplatesTests {

    private final Templates templates = new Templates();

    private String shown(String text) {
        return templates.render("trouble", View.of("message", text).with("advice", null));
    }

    static Stream<BadInput.Case<String>> texts() {
        return Stream.concat(
                BadInput.ids(),
                Stream.of(
                                "<script>alert(1)</script>",
                                "\" onload=\"x",
                                "' x='",
                                "`x`",
                                "&lt;",
                                "{{{base}}}",
                                BadInput.FORGERY)
                        .map(text -> new BadInput.Case<>(text.length() > 30 ? "long" : text, text)));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void textWhenForeignIsShownAndNothingElse(BadInput.Case<String> text) {
        String page = shown(text.input());

        String inside = page.replace("<div class=\"notice bad\" role=\"alert\">", "")
                .replace("<p>", "")
                .replace("</p>", "")
                .replace("</div>", "");
        assertThat(inside).doesNotContain("<", ">", "\"", "'", "`");
        assertThat(inside.codePoints().filter(c -> c != '\n' && c != '\t' && Character.getType(c) == Character.CONTROL))
                .isEmpty();
        assertThat(inside.codePoints().map(Character::getType))
                .doesNotContain((int) Character.FORMAT, (int) Character.SURROGATE, (int) Character.LINE_SEPARATOR);
    }

    @Test
    void textWhenOfAnyLanguageIsShownAsItIs() {
        assertThat(shown("café 数 😀 שלום")).contains("<p>café 数 😀 שלום</p>");
        assertThat(shown("a\u202eb\u0000")).contains("a\\u202eb\\u0000");
    }

    /** The form sends the value back. */
    @Test
    void fieldWhenItsValueHasInvisibleCharactersKeepsThem() {
        View field = View.of("field", "name").with("content", "a\u200db\u202ec\"<");

        assertThat(templates.render("hidden-fields", View.of("hiddenFields", List.of(field))))
                .contains("name=\"name\" value=\"a\u200db\u202ec&quot;&lt;\"");
    }

    @Test
    void nameWhenTheViewDoesNotHaveItIsAnError() {
        assertThatThrownBy(() -> templates.render("trouble", View.of("message", "m")))
                .isInstanceOf(MustacheException.class);
    }

    @Test
    void addressWhenItHasParametersEncodesThem() {
        Address address =
                new Address("/delayqueue/search").with("id", "a/b?c=d&e #\"<é").with("none", null);
        assertThat(address.text()).isEqualTo("/delayqueue/search?id=a%2Fb%3Fc%3Dd%26e+%23%22%3C%C3%A9");
    }
}
