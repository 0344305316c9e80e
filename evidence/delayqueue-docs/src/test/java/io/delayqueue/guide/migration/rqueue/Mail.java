// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.rqueue;

record Mail(String to, String text) {}
