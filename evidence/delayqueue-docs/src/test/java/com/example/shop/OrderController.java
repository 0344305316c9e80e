// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/orders")
class OrderController {

    private final Orders orders;

    OrderController(Orders orders) {
        this.orders = orders;
    }

    @PostMapping
    String place() {
        return orders.place();
    }

    @PostMapping("/{id}/pay")
    boolean pay(@PathVariable String id) {
        return orders.pay(id);
    }

    @GetMapping("/{id}")
    Orders.Status status(@PathVariable String id) {
        return orders.status(id);
    }
}
