package org.madcast.client.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Says what a receiver needs of the files that a sender has. For one thread. */
final class Inventory {

    /** What the sender asked for. */
    record Rules(WriteMode mode, boolean delta, boolean resume) {

        /** Whether it does not matter what is there, but for what an interrupted push left. */
        private boolean takesAll() {
            return mode == WriteMode.OVERWRITE && !delta;
        }
    }

    /**
     * What a receiver needs of one file, and why.
     *
     * @param need what the sender gets
     * @param ofPartial whether the need's digest or offset is that of a partial file
     * @param problem why the file cannot be received here, null when it can
     */
    record Finding(Need need, boolean ofPartial, @Nullable String problem) {

        static final Finding KEPT = new Finding(Need.KEPT, false, null);
        static final Finding ALL = new Finding(Need.ALL, false, null);
    }

    private final Destination destination;
    private final Partials partials = new Partials();
    private final Rules rules;

    Inventory(Destination destination, Rules rules) {
        this.destination = destination;
        this.rules = rules;
    }

    /** One finding for each entry; directories and links need nothing of the stream. */
    List<Finding> examine(List<Entry> entries) {
        List<Finding> findings = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            findings.add(entry.isFile() ? examine(entry) : Finding.KEPT);
        }
        return findings;
    }

    private Finding examine(Entry entry) {
        try {
            Path directory = destination.findDirectory(entry.path());
            if (directory == null || (rules.takesAll() && partials.foundEmpty(directory))) {
                return Finding.ALL;
            }
            Path file = directory.resolve(name(entry));
            Finding byFile = compare(file, entry);
            return byFile.equals(Finding.ALL) ? resume(file, entry) : byFile;
        } catch (IOException problem) {
            return new Finding(Need.KEPT, false, Problems.describe(problem));
        }
    }

    private static String name(Entry entry) {
        return entry.path().substring(entry.path().lastIndexOf('/') + 1);
    }

    private Finding compare(Path file, Entry entry) throws IOException {
        BasicFileAttributes present = Destination.attributesIfThere(file);
        if (present == null) {
            return Finding.ALL;
        }
        if (present.isDirectory()) {
            return new Finding(Need.KEPT, false, "a directory of that name is there");
        }
        long modifiedNs = present.lastModifiedTime().to(TimeUnit.NANOSECONDS);
        if (rules.mode() == WriteMode.LEAVE
                || (rules.mode() == WriteMode.NEWER && modifiedNs >= entry.modifiedNs())) {
            return Finding.KEPT;
        }
        boolean alike =
                present.isRegularFile()
                        && present.size() == entry.sizeBytes()
                        && modifiedNs == entry.modifiedNs();
        return rules.delta() && alike
                ? new Finding(Need.unless(Digest.of(file)), false, null)
                : Finding.ALL;
    }

    private Finding resume(Path file, Entry entry) throws IOException {
        Path partial = Partials.of(file, entry);
        partials.deleteOthers(file, partial);
        if (!rules.resume() || !partials.has(partial)) {
            return Finding.ALL;
        }
        BasicFileAttributes present = Destination.attributes(partial);
        if (!present.isRegularFile() || present.size() > entry.sizeBytes()) {
            return Finding.ALL;
        }
        return present.size() == entry.sizeBytes()
                ? whole(partial)
                : new Finding(Need.from(present.size()), true, null);
    }

    /** It may have its permissions already, and then perhaps cannot be read. */
    private static Finding whole(Path partial) throws IOException {
        try {
            return new Finding(Need.unless(Digest.of(partial)), true, null);
        } catch (AccessDeniedException _) {
            return Finding.ALL;
        }
    }
}
