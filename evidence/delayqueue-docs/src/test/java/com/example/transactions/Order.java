// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

record Order(long id) {}
