package io.idempotency.integration.campaign;

import java.io.IOException;

/** What a process of the campaign says to its parent: one marked line each, between the lines of its log. */
final class ChildOutput {

    static final String READY = "ready ";

    private static final String BEGIN = "> ";
    private static final String END = " <";

    private ChildOutput() {}

    static synchronized void say(String text) {
        System.out.println(BEGIN + text + END);
    }

    static boolean said(String line) {
        return line.startsWith(BEGIN) && line.endsWith(END); // a killed process may have written half a line
    }

    static String text(String line) {
        return line.substring(BEGIN.length(), line.length() - END.length());
    }

    /** Returns never: the process ends when its parent has. */
    static void endWithParent() throws IOException {
        while (System.in.read() >= 0) {
            // the parent writes nothing
        }
        Runtime.getRuntime().halt(1);
    }
}
