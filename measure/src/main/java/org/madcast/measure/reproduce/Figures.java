package org.madcast.measure.reproduce;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All figures that can be run. */
final class Figures {

    private static final List<Figure> ALL =
            Stream.of(
                            ThesisFigures.all(),
                            List.of(CollisionFigure.figure(), FactorisationFigure.figure()),
                            PipelineFigures.all(),
                            HardwareFigures.all(),
                            List.of(BarrierFigure.figure(), OverlapFigure.figure()))
                    .flatMap(List::stream)
                    .sorted(Comparator.comparing(Figure::seed))
                    .toList();

    private Figures() {}

    /** In the order of the papers. */
    static List<Figure> all() {
        return ALL;
    }

    /**
     * The figure of this name.
     *
     * @throws IllegalArgumentException naming the known ones
     */
    static Figure of(String name) {
        return ALL.stream()
                .filter(it -> it.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "no figure '"
                                        + name
                                        + "'; there are "
                                        + ALL.stream()
                                                .map(Figure::name)
                                                .collect(Collectors.joining(", "))
                                        + ", and all"));
    }
}
