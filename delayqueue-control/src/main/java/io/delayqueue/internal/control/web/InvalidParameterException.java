// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control.web;

/** A parameter of a request or a field of a form has a value that cannot be used. */
public final class InvalidParameterException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String parameter;

    InvalidParameterException(String parameter, String message) {
        super(message);
        this.parameter = parameter;
    }

    /** Returns the name of the parameter. */
    public String parameter() {
        return parameter;
    }
}
