// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The templates of the pages. Values are escaped, a name that the view does not have is an error, and {@code null}
 * shows nothing. Safe for use by many threads.
 */
public final class Templates {

    private static final String FOLDER = "/io/delayqueue/console/templates/";

    private final Map<String, Template> templates = new ConcurrentHashMap<>();
    private final Mustache.Compiler compiler = Mustache.compiler()
            .withLoader(Templates::open)
            .withEscaper(ShownText::escaped)
            .strictSections(true)
            .nullValue("")
            .emptyStringIsFalse(true);

    /** @param view the values by name */
    public String render(String name, View view) {
        return templates.computeIfAbsent(name, this::compiled).execute(view);
    }

    private Template compiled(String name) {
        try (Reader reader = open(name)) {
            return compiler.compile(reader);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static Reader open(String name) {
        InputStream in = Templates.class.getResourceAsStream(FOLDER + name + ".mustache");
        if (in == null) {
            throw new IllegalStateException(FOLDER + name + ".mustache is not on the class path");
        }
        return new InputStreamReader(in, StandardCharsets.UTF_8);
    }
}
