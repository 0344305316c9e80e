// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

/**
 * A task to be delayed. Its payload is 200 bytes of ASCII that begin with its number and its due time.
 *
 * @param queue index of the subject's queue, from 0
 * @param number number of the task
 * @param dueAt epoch milliseconds
 * @param id 22 characters, the length of the ids that this library creates
 * @param payload 200 bytes
 */
public record Task(int queue, long number, long dueAt, String id, String payload) {

    private static final int NUMBER_END = 12;
    private static final int DUE_END = 26;
    private static final String REST = ":" + "x".repeat(200 - DUE_END - 1);

    /** Creates a task with its id and payload. */
    public static Task of(int queue, long number, long dueAt) {
        String digits = padded(number, NUMBER_END);
        return new Task(queue, number, dueAt, "task000000" + digits, digits + ":" + padded(dueAt, 13) + REST);
    }

    /** Returns the number in a payload. */
    public static long numberIn(String payload) {
        return Long.parseLong(payload, 0, NUMBER_END, 10);
    }

    /** Returns the due time in a payload, epoch milliseconds. */
    public static long dueIn(String payload) {
        return Long.parseLong(payload, NUMBER_END + 1, DUE_END, 10);
    }

    private static String padded(long value, int width) {
        String digits = Long.toString(value);
        return "0".repeat(width - digits.length()) + digits;
    }
}
