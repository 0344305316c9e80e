// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application for the code in docs/transactions.md. */
@SpringBootApplication
class TransactionsShop {}
