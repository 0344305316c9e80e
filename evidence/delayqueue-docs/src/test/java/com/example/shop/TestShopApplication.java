// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import org.springframework.boot.SpringApplication;

public class TestShopApplication {

    public static void main(String[] arguments) {
        SpringApplication.from(ShopApplication::main).run("--delayqueue.test.embedded.redis=auto");
    }
}
