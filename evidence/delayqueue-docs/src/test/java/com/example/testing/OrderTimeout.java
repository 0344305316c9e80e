// SPDX-License-Identifier: Apache-2.0
package com.example.testing;

record OrderTimeout(String orderId) {}
