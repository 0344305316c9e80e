// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.internal.input.PrintableText;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Converts ids from and to bytes in Redis. Ids of scheduled tasks are UTF-8. Other software may have left arbitrary
 * bytes in a shard, and operators must be able to enter them as ids. The conversion is therefore reversible: a byte
 * that is not UTF-8 becomes a lone low surrogate, U+DC80 to U+DCFF, and vice versa.
 */
public final class IdEncoding {

    private static final char FIRST_ESCAPE = '\udc80';
    private static final char LAST_ESCAPE = '\udcff';
    private static final int ESCAPE = 0xdc00;

    private IdEncoding() {}

    public static String of(byte[] id) {
        String text = new String(id, StandardCharsets.UTF_8);
        return text.indexOf('\ufffd') < 0 ? text : escaped(id);
    }

    private static String escaped(byte[] id) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(id);
        CharBuffer out = CharBuffer.allocate(id.length);
        for (CoderResult result = decoder.decode(in, out, true);
                result.isError();
                result = decoder.decode(in, out, true)) {
            for (int i = result.length(); i > 0; i--) {
                out.put((char) (ESCAPE + (in.get() & 0xff)));
            }
            decoder.reset();
        }
        return out.flip().toString();
    }

    /** @throws InvalidTaskException if no id has this text; a usual encoding would turn it into another id */
    public static byte[] bytes(String id) {
        for (int i = 0; i < id.length(); i++) {
            if (Character.isSurrogate(id.charAt(i))) {
                return unescaped(id);
            }
        }
        return id.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] unescaped(String id) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(id.length() + 16);
        for (int i = 0; i < id.length(); ) {
            int point = id.codePointAt(i);
            i += Character.charCount(point);
            if (point >= FIRST_ESCAPE && point <= LAST_ESCAPE) {
                out.write(point - ESCAPE);
            } else if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                throw new InvalidTaskException("No task has the id '" + PrintableText.of(id, 60)
                        + "', because it is not valid Unicode (unpaired surrogate). Pass the id as it "
                        + "was scheduled or listed");
            } else {
                out.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.toByteArray();
    }
}
