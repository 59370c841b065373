package org.madcast.allocator.load;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The processor time of a process and of its threads, up to now, from /proc.
 *
 * @param atNs when, by {@link System#nanoTime}
 * @param ticks of the process, in hundredths of a second
 * @param byThread the same by kind of thread: names without their numbers
 */
record ThreadTimes(long atNs, long ticks, Map<String, Long> byThread) {

    private static final int SHOWN = 8;

    /** Of the process whose directory in /proc this is. */
    static ThreadTimes of(Path process) throws IOException {
        Map<String, Long> byThread = new TreeMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path thread : threads) {
                add(thread.resolve("stat"), byThread);
            }
        }
        String text = Files.readString(process.resolve("stat"));
        return new ThreadTimes(System.nanoTime(), ticks(text), byThread);
    }

    /** Nothing is added of a thread that has ended: its time is in the process's. */
    private static void add(Path stat, Map<String, Long> byThread) {
        String text;
        try {
            text = Files.readString(stat);
        } catch (IOException ended) {
            return;
        }
        String name = text.substring(text.indexOf('(') + 1, text.lastIndexOf(')'));
        byThread.merge(name.replaceAll("[-#0-9]+$", ""), ticks(text), Long::sum);
    }

    private static long ticks(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    /** What was used since then, in cores, all together and by the threads that used most. */
    String since(ThreadTimes before) {
        double hundredths = (atNs - before.atNs) / 1e7;
        String threads =
                byThread.entrySet().stream()
                        .map(it ->
                                Map.entry(
                                        it.getKey(),
                                        it.getValue()
                                                - before.byThread.getOrDefault(it.getKey(), 0L)))
                        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                        .limit(SHOWN)
                        .map(it -> "%s %.3f".formatted(it.getKey(), it.getValue() / hundredths))
                        .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "%.0f s: %.3f of a core (%s)",
                hundredths / 100,
                (ticks - before.ticks) / hundredths,
                threads);
    }
}
