package org.madcast.client.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.collective.SelectionTable;

/** Reads the table of which algorithm serves when: the user's, else the library's. */
public final class SelectionTables {

    private static final String RESOURCE = "selection.table";

    private SelectionTables() {}

    /**
     * The table that the parameters name.
     *
     * @throws IllegalArgumentException naming the file, and the line that is wrong
     */
    public static SelectionTable of(BroadcastParameters parameters) {
        return parameters
                .selectionFile()
                .map(SelectionTables::read)
                .orElseGet(() -> Standard.TABLE);
    }

    private static SelectionTable read(Path file) {
        try {
            return SelectionTable.parse(file.toString(), Files.readString(file), Standard.TABLE);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "the selection table " + file + " cannot be read: " + unreadable, unreadable);
        }
    }

    /** The library's table, which is read once. */
    private static final class Standard {
        private static final SelectionTable TABLE = standard();
    }

    private static SelectionTable standard() {
        try (InputStream in =
                Objects.requireNonNull(SelectionTables.class.getResourceAsStream(RESOURCE))) {
            return SelectionTable.parse(
                    RESOURCE, new String(in.readAllBytes(), StandardCharsets.UTF_8), null);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
