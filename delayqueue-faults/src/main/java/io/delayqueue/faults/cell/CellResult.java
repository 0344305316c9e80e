// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.check.Verdict;

/**
 * What came of a cell.
 *
 * @param cell which
 * @param verdict the checker's
 * @param versions of the servers
 */
public record CellResult(Cell cell, Verdict verdict, String versions) {}
