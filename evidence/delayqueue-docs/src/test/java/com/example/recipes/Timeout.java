// SPDX-License-Identifier: Apache-2.0
package com.example.recipes;

record Timeout(long order) {}
