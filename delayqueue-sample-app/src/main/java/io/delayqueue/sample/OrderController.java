// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

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
    private final ShopCounters counters;

    OrderController(OrderService service, OrderBook book, ShopCounters counters) {
        this.service = service;
        this.book = book;
        this.counters = counters;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Order place(@RequestBody(required = false) @Nullable NewOrder order) {
        String item = (order != null && order.item() != null) ? order.item() : "a surprise";
        if (item.length() > LONGEST_ITEM) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "'item' must have at most " + LONGEST_ITEM + " characters");
        }
        Order placed = service.place(item);
        counters.placed();
        return placed;
    }

    @PostMapping("/{id}/pay")
    Order pay(@PathVariable String id) {
        Order order = find(id);
        if (service.pay(order.id())) {
            counters.paid();
        } else if (find(id).status() != Order.Status.PAID) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "the order is closed");
        }
        return find(id);
    }

    @PostMapping("/{id}/extend")
    Order extend(@PathVariable String id, @RequestParam(defaultValue = "PT15M") Duration by) {
        if (by.isNegative() || by.isZero() || by.compareTo(Duration.ofDays(30)) > 0) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "'by' must be more than 0 and at most 30 days");
        }
        Order order = find(id);
        if (!service.extend(order.id(), by)) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "the order is not open");
        }
        counters.extended();
        return find(id);
    }

    @GetMapping
    List<Order> orders() {
        return book.last();
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
}
