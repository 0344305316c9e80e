// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application of which docs/transactions.md shows parts. */
@SpringBootApplication
class TransactionsShop {}
