package org.madcast.lab;

import java.io.IOException;

/** Makes a lab, says its name and keeps it until it is ended from outside. */
final class LabOwningProgram {
    private LabOwningProgram() {}

    public static void main(String[] arguments) throws IOException {
        Runtime.getRuntime().addShutdownHook(new Thread(Lab::closeOwn));
        Lab lab = Lab.up(LabSpec.builder().hosts(2).detached(arguments.length > 0).build());
        System.out.println(lab.spec().name());
        while (System.in.read() >= 0) {
            // Whoever started this holds the other end.
        }
    }
}
