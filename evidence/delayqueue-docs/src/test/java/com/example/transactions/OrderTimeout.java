// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

record OrderTimeout(long orderId) {}
