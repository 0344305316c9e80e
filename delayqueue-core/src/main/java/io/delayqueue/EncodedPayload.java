// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * An encoded payload with its content type. Scheduled as a payload, it is stored unchanged, regardless of the queue's
 * codec. Reading a payload as this type returns the stored bytes.
 *
 * @param contentType media type, 1 to 255 printable ASCII characters
 * @param bytes the encoded payload; not copied, so do not modify it
 */
public record EncodedPayload(String contentType, byte[] bytes) {

    private static final int LONGEST_TYPE = 255;

    /** @throws PayloadConversionException if the content type is invalid */
    public EncodedPayload {
        if (contentType.isBlank()
                || contentType.length() > LONGEST_TYPE
                || !contentType.chars().allMatch(c -> c >= 0x20 && c < 0x7f)) {
            throw new PayloadConversionException("A content type has 1 to " + LONGEST_TYPE
                    + " printable ASCII characters, such as application/json");
        }
    }

    /** Returns only the size, because payloads must not be logged. */
    @Override
    public String toString() {
        return "EncodedPayload[" + contentType + ", " + bytes.length + " bytes]";
    }
}
