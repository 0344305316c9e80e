// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

/**
 * An event with its time and its place.
 *
 * @param process name of the process; each start of a program has a new name
 * @param number its place in that history, from 1
 * @param micros time in microseconds of a clock that all processes of a host share and that is never set
 * @param wallMillis time by the wall clock, for people
 * @param event the event
 */
public record Entry(String process, long number, long micros, long wallMillis, Event event) {}
