// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.check.Verdict;
import java.time.LocalDate;

/**
 * The result of a cell.
 *
 * @param cell the cell
 * @param verdict the checker's verdict
 * @param versions versions of the servers
 * @param day day of the run, UTC
 */
public record CellResult(Cell cell, Verdict verdict, String versions, LocalDate day) {}
