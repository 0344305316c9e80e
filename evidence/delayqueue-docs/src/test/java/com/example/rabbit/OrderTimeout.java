// SPDX-License-Identifier: Apache-2.0
package com.example.rabbit;

record OrderTimeout(String orderId) {}
