// SPDX-License-Identifier: Apache-2.0
/** The code of docs/handlers.md. */
package com.example.handlers;
