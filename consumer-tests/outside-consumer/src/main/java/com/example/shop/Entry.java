package com.example.shop;

import io.micronaut.data.annotation.GeneratedValue;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import jakarta.annotation.Nullable;

/** One row for each execution of a body. */
@MappedEntity
record Entry(
        @Nullable @Id @GeneratedValue Long id, String what, String reference) {}
