package org.madcast.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/** Groups that stay in the order in which they first appear. */
final class Grouping {

    private Grouping() {}

    static <T, K> Collector<T, ?, Map<K, List<T>>> by(Function<T, K> key) {
        return Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList());
    }
}
