// SPDX-License-Identifier: Apache-2.0
/** What docs/handlers.md shows, compiled. */
package com.example.handlers;
