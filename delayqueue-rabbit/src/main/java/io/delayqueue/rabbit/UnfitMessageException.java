// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

/** The driver cannot make frames of a message. */
final class UnfitMessageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String reason;

    /** @param cause what the driver threw; only its refusals of what it was given are known to say something of use */
    UnfitMessageException(RuntimeException cause) {
        super(cause);
        this.reason = "cannot be an AMQP message: "
                + (cause instanceof IllegalArgumentException
                        ? cause.getMessage()
                        : cause.getClass().getName());
    }

    /** Why its task fails. */
    String reason() {
        return reason;
    }
}
