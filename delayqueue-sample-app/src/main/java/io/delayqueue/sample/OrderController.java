// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.CancelOutcome;
import io.delayqueue.RescheduleOutcome;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The shop's counter. */
@RestController
@RequestMapping("/orders")
class OrderController {

    private static final int LONGEST_ITEM = 200;

    private final OrderService service;
    private final OrderBook book;

    OrderController(OrderService service, OrderBook book) {
        this.service = service;
        this.book = book;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Order place(@RequestBody(required = false) @Nullable NewOrder order) {
        String item = (order != null && order.item() != null) ? order.item() : "a surprise";
        if (item.length() > LONGEST_ITEM) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "item must have at most " + LONGEST_ITEM + " characters");
        }
        return service.place(item);
    }

    @PostMapping("/{id}/pay")
    Reply pay(@PathVariable String id) {
        Order order = find(id);
        CancelOutcome outcome = service.pay(order.id());
        if (outcome == CancelOutcome.NOT_FOUND && find(id).status() != Order.Status.PAID) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "the order is closed");
        }
        return new Reply(find(id), outcome.name());
    }

    @PostMapping("/{id}/extend")
    Reply extend(@PathVariable String id, @RequestParam(defaultValue = "PT15M") Duration by) {
        if (by.isNegative() || by.isZero() || by.compareTo(Duration.ofDays(30)) > 0) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "by must be more than 0 and at most 30 days");
        }
        Order order = find(id);
        RescheduleOutcome outcome = service.extend(order.id(), by);
        if (outcome == RescheduleOutcome.NOT_FOUND) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "the order is not open");
        }
        return new Reply(find(id), outcome.name());
    }

    @GetMapping
    List<Order> orders() {
        return book.all();
    }

    private Order find(String id) {
        return book.find(id)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "there is no such order"));
    }

    /**
     * An order to be placed.
     *
     * @param item what is ordered
     */
    record NewOrder(@Nullable String item) {}

    /**
     * What became of an order and of its time-out.
     *
     * @param order the order now
     * @param timeout the delayed task's outcome
     */
    record Reply(Order order, String timeout) {}
}
