// SPDX-License-Identifier: Apache-2.0
package com.example.recipes;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application of which docs/recipes.md shows parts. */
@SpringBootApplication
class RecipesShop {}
