// SPDX-License-Identifier: Apache-2.0
package com.example.recipes;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application for the code in docs/recipes.md. */
@SpringBootApplication
class RecipesShop {}
