package org.madcast.agent.example;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The applications in {@code examples/applications}, and what was reported of their like. */
enum Application {
    /** Conjugate gradients. */
    CG(
            "ConjugateGradient",
            "conjugate gradients, 3-D Poisson problem",
            4,
            192,
            "planes",
            "Hoefler 2008, V.1.7: 800^3 points, up to 96 nodes, Gigabit Ethernet:",
            "nearly all of the communication was hidden"),

    /** A Fourier transform. */
    FFT(
            "FourierTransform",
            "3-D Fourier transform",
            4,
            128,
            "numbers a side",
            "Hoefler 2008, V.1.6: 720^3 numbers on 120 processors, InfiniBand:",
            "2.1 s instead of 2.5 s, 16 % saved"),

    /** Compression. */
    COMPRESS(
            "Compression",
            "parallel compression",
            4,
            48,
            "blocks of 256 KiB",
            "Hoefler 2008, V.1.5: 122 MB on 120 processors, InfiniBand:",
            "1.72 s instead of 2.18 s, 21 % saved"),

    /** Map and reduce. */
    WORDCOUNT(
            "WordCount",
            "map-reduce word count",
            4,
            64,
            "pieces of 256 KiB",
            "Hoefler 2008, V.1.8: map-reduce of up to 126 processors, InfiniBand:",
            "up to 27 % less time in communication and waiting"),

    /** LU factorisation. */
    LU(
            "LuFactorisation",
            "LU factorisation in the shape of HPL",
            4,
            1536,
            "rows",
            "Siebert 2006, 4.3.1: HPL on 64 nodes, broadcasts by multicast, not overlapped:",
            "29.36 GFLOPS; HPL's best own broadcast 29.10, Open MPI's MPI_Bcast 28.38");

    private final String program;
    private final String title;
    private final int hosts;
    private final int size;
    private final String sizeOf;
    private final String reported; // its lines

    Application(
            String program, String title, int hosts, int size, String sizeOf, String... reported) {
        this.program = program;
        this.title = title;
        this.hosts = hosts;
        this.size = size;
        this.sizeOf = sizeOf;
        this.reported = String.join("\n", reported);
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
        return name().toLowerCase(Locale.ROOT);
    }

    /** The class with its main method, and the name of its file. */
    String program() {
        return program;
    }

    /** What it computes. */
    String title() {
        return title;
    }

    /** On how many hosts it usually runs: enough links for there to be something to compute. */
    int hosts() {
        return hosts;
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
        return reported.lines().toList();
    }
}
