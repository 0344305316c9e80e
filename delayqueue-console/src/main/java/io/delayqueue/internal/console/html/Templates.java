// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The templates of the pages. Escapes values. Fails if the view lacks a name, and renders {@code null} as nothing.
 * Thread-safe.
 */
public final class Templates {

    private static final String FOLDER = "/io/delayqueue/console/templates/";

    /** Pattern for the value of a form field. The user may send the value back, so it must not change. */
    private static final Pattern FIELD_VALUE = Pattern.compile("value=\"\\{\\{(\\w+)}}\"");

    private static final Map<String, Mustache.Lambda> FIELDS =
            Map.of("field-value", (value, out) -> out.write(ShownText.unchanged(value.execute())));

    private final Map<String, Template> templates = new ConcurrentHashMap<>();
    private final Mustache.Compiler compiler = Mustache.compiler()
            .withLoader(name -> new StringReader(source(name)))
            .withEscaper(ShownText::escaped)
            .strictSections(true)
            .nullValue("")
            .emptyStringIsFalse(true);

    public String render(String name, View view) {
        StringWriter page = new StringWriter();
        templates.computeIfAbsent(name, this::compiled).execute(view, FIELDS, page);
        return page.toString();
    }

    private Template compiled(String name) {
        return compiler.compile(source(name));
    }

    private static String source(String name) {
        String template = new String(resource(FOLDER + name + ".mustache"), StandardCharsets.UTF_8);
        return FIELD_VALUE.matcher(template).replaceAll("value=\"{{#field-value}}{{{$1}}}{{/field-value}}\"");
    }

    /** Reads a file from the class path. */
    public static byte[] resource(String path) {
        try (InputStream in = Templates.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is not on the class path");
            }
            return in.readAllBytes();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
