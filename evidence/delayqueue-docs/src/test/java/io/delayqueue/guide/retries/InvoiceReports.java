// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.retries;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.handler.RetryLaterException;
import java.time.Duration;
import org.springframework.stereotype.Component;

@Component
class InvoiceReports {

    private final Tax tax;

    InvoiceReports(Tax tax) {
        this.tax = tax;
    }

    @DelayQueueListener(queue = "invoices")
    void report(DelayedTask<Invoice> task) {
        String number = task.payload().number();
        switch (tax.report(number)) {
            case ACCEPTED -> {}
            case UNKNOWN_NUMBER -> throw new NonRetryableTaskException("the office does not know " + number);
            case CLOSED -> {
                if (task.lateness().compareTo(Duration.ofDays(3)) > 0) {
                    throw new NonRetryableTaskException("closed for three days");
                }
                throw RetryLaterException.uncounted("the office is closed", Duration.ofHours(1));
            }
            case BROKEN -> throw new IllegalStateException("the office answers nonsense");
        }
    }
}
