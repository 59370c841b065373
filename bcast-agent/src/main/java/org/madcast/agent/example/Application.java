package org.madcast.agent.example;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The applications in {@code examples/applications}, and what was reported of their like. */
enum Application {
    /** Conjugate gradients. */
    CG(
            "ConjugateGradient",
            "conjugate gradients on a 3-D Poisson problem",
            "halo exchange overlapped with the inner planes",
            160,
            "planes of the cube",
            "Hoefler 2008, V.1.7: 800^3 points, up to 96 nodes, Gigabit Ethernet:",
            "nearly all of the communication was hidden");

    private final String program;
    private final String title;
    private final String overlap;
    private final int size;
    private final String sizeOf;
    private final List<String> reported;

    Application(
            String program,
            String title,
            String overlap,
            int size,
            String sizeOf,
            String... reported) {
        this.program = program;
        this.title = title;
        this.overlap = overlap;
        this.size = size;
        this.sizeOf = sizeOf;
        this.reported = List.of(reported);
    }

    /**
     * The application of that name.
     *
     * @throws IllegalArgumentException with the names that are known
     */
    static Application of(String name) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "no example is called '" + name + "'; there are " + names()));
    }

    private static String names() {
        return Arrays.stream(values()).map(Application::label).collect(Collectors.joining(", "));
    }

    /** Its name on the command line. */
    String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The class with its main method, and the name of its file. */
    String program() {
        return program;
    }

    /** What it computes. */
    String title() {
        return title;
    }

    /** What goes on beside what. */
    String overlap() {
        return overlap;
    }

    /** Its usual size. */
    int size() {
        return size;
    }

    /** What the size counts. */
    String sizeOf() {
        return sizeOf;
    }

    /** What a paper reports of such a program, in lines. */
    List<String> reported() {
        return reported;
    }
}
