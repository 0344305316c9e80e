// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Bytes and what they are. Scheduled as a payload they pass as they are, whatever the queue's codec; asked for as the type of
 * a payload they are what is stored.
 *
 * @param contentType media type, 1 to 255 printable ASCII characters
 * @param bytes not copied, so nobody may write to them
 */
public record EncodedPayload(String contentType, byte[] bytes) {

    private static final int LONGEST_TYPE = 255;

    /** @throws PayloadConversionException if the content type cannot be one */
    public EncodedPayload {
        if (contentType.isBlank()
                || contentType.length() > LONGEST_TYPE
                || !contentType.chars().allMatch(c -> c >= 0x20 && c < 0x7f)) {
            throw new PayloadConversionException("A content type has 1 to " + LONGEST_TYPE
                    + " printable ASCII characters, such as application/json");
        }
    }

    /** Sizes only. */
    @Override
    public String toString() {
        return "EncodedPayload[" + contentType + ", " + bytes.length + " bytes]";
    }
}
