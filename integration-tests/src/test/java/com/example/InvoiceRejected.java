package com.example;

/** The class that docs/attributes.md names in a property. */
public class InvoiceRejected extends RuntimeException {
    private static final long serialVersionUID = 1L;
}
