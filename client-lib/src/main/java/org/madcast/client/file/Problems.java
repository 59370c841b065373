package org.madcast.client.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What went wrong with a file, in words. */
final class Problems {

    private Problems() {}

    static String describe(IOException problem) {
        return switch (problem) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "it does not exist";
            case FileSystemException failed when failed.getReason() != null -> failed.getReason();
            default -> problem.getMessage() == null ? problem.toString() : problem.getMessage();
        };
    }

    static IOException cause(DirectoryIteratorException broken) {
        IOException cause = broken.getCause();
        return cause == null ? new IOException(broken.getMessage()) : cause;
    }
}
