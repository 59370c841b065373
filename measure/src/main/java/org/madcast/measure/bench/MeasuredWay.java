package org.madcast.measure.bench;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.client.CollectiveAlgorithm;
import org.madcast.client.CollectiveOperation;

/**
 * A call that is measured, and the algorithm that must serve it.
 *
 * @param call the call
 * @param algorithm null for what the library selects
 */
public record MeasuredWay(MeasuredCall call, @Nullable CollectiveAlgorithm algorithm) {

    /**
     * As it is written: a call's label, or that, a slash and an algorithm's.
     *
     * @throws IllegalArgumentException when there is no such call, or it has no such algorithm
     */
    public static MeasuredWay of(String written) {
        String text = written.toLowerCase(Locale.ROOT);
        MeasuredCall call =
                MeasuredCall.of(text)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "--collective knows "
                                                + Arrays.stream(MeasuredCall.values())
                                                        .map(MeasuredCall::label)
                                                        .collect(Collectors.joining(", "))
                                                + ", not '"
                                                + text
                                                + "'"));
        int slash = text.indexOf('/');
        if (slash < 0) {
            return new MeasuredWay(call, null);
        }
        String wanted = text.substring(slash + 1);
        CollectiveOperation operation =
                CollectiveOperation.of(call.label())
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        call.label() + " has no algorithms to choose from"));
        return new MeasuredWay(call, operation.algorithm(wanted));
    }

    /** The labels of all calls. */
    static final class Candidates implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(MeasuredCall.values()).map(MeasuredCall::label).iterator();
        }
    }

    /** As it is written, and the name of its cells. */
    public String label() {
        return algorithm == null ? call.label() : call.label() + "/" + algorithm.label();
    }

    /** A selection table in which the algorithm serves always. */
    String table() {
        if (algorithm == null) {
            return "";
        }
        String multicast = algorithm == CollectiveAlgorithm.MULTICAST ? "yes" : "any";
        return "%s %s any any %s it is measured%n"
                .formatted(call.label(), multicast, algorithm.label());
    }
}
