package org.madcast.agent.terminal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What went wrong with a file, in words for people. */
public final class FileTrouble {

    private FileTrouble() {}

    /** Without the file's name, which the caller says. */
    public static String of(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "it does not exist";
            case FileSystemException known when known.getReason() != null -> known.getReason();
            default -> failure.toString();
        };
    }
}
