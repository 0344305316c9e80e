// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.reminders;

record GoOnReading(String reader, String article) {}
