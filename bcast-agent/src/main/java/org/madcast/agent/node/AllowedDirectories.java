package org.madcast.agent.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.madcast.agent.terminal.FileTrouble;

/** The directories below which an agent lets others write. Immutable. */
public final class AllowedDirectories {

    private final List<Path> directories;

    private AllowedDirectories(List<Path> directories) {
        this.directories = directories;
    }

    /** True when nothing is allowed. */
    public boolean isEmpty() {
        return directories.isEmpty();
    }

    /** These directories, which must be there; links to them are followed now and never again. */
    public static AllowedDirectories of(List<Path> directories) throws IOException {
        List<Path> real = new ArrayList<>();
        for (Path directory : directories) {
            try {
                real.add(directory.toRealPath());
            } catch (IOException e) {
                throw new IOException(directory + ": " + FileTrouble.of(e), e);
            }
        }
        return new AllowedDirectories(List.copyOf(real));
    }

    /**
     * The directory that a sender names, with all links resolved.
     *
     * @throws IOException when it is no absolute path, or leads out of what is allowed
     */
    public Path resolve(String wanted) throws IOException {
        Path path;
        try {
            path = Path.of(wanted);
        } catch (InvalidPathException e) {
            throw new IOException("'" + wanted + "' is not a path", e);
        }
        if (!path.isAbsolute() || !path.equals(path.normalize())) {
            throw new IOException("'" + wanted + "' is not an absolute path without '..'");
        }
        Path existing = path;
        while (!Files.exists(existing)) {
            Path parent = existing.getParent();
            if (parent == null || Files.isSymbolicLink(existing)) {
                throw new IOException("'" + existing + "' leads nowhere");
            }
            existing = parent;
        }
        Path real = existing.toRealPath().resolve(existing.relativize(path)).normalize();
        if (directories.stream().noneMatch(real::startsWith)) {
            throw new IOException(
                    "'" + wanted + "' is not below a directory that the agent allows");
        }
        return real;
    }
}
