// SPDX-License-Identifier: Apache-2.0
package com.example.handlers;

record OrderTimeout(String orderId) {}
