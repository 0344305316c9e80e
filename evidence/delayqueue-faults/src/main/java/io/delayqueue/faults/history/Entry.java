// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

/**
 * An event with its time and its place.
 *
 * @param process whose history it is; each start of a program has a name of its own
 * @param number its place in that history, from 1
 * @param micros when, in microseconds of a clock that all processes of a host share and that nobody sets
 * @param wallMillis when, by the wall clock; for people
 * @param event what
 */
public record Entry(String process, long number, long micros, long wallMillis, Event event) {}
