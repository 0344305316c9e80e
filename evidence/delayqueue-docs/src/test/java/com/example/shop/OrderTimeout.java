// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

record OrderTimeout(String orderId) {}
