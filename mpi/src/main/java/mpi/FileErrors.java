package mpi;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/** From what goes wrong with files to MPI's error classes. */
final class FileErrors {

    private FileErrors() {}

    static MPIException of(IOException failed, String doing, Path path) {
        ErrorClass errorClass = classOf(failed);
        String why =
                switch (errorClass) {
                    case NO_SUCH_FILE -> "there is no such file; MODE_CREATE makes one";
                    case FILE_EXISTS -> "the file exists, and MODE_EXCL wants a new one";
                    case ACCESS -> "permission denied";
                    default -> reason(failed);
                };
        return new MPIException(errorClass, "%s %s: %s".formatted(doing, path, why), failed);
    }

    private static String reason(IOException failed) {
        return failed instanceof FileSystemException system && system.getReason() != null
                ? system.getReason()
                : String.valueOf(failed.getMessage());
    }

    private static ErrorClass classOf(IOException failed) {
        String reason = reason(failed).toLowerCase(Locale.ROOT);
        return switch (failed) {
            case NoSuchFileException _ -> ErrorClass.NO_SUCH_FILE;
            case FileAlreadyExistsException _ -> ErrorClass.FILE_EXISTS;
            case AccessDeniedException _ -> ErrorClass.ACCESS;
            case IOException _ when reason.contains("no space") -> ErrorClass.NO_SPACE;
            case IOException _ when reason.contains("quota") -> ErrorClass.QUOTA;
            case IOException _ when reason.contains("read-only") -> ErrorClass.READ_ONLY;
            case IOException _ when reason.contains("too long") -> ErrorClass.BAD_FILE;
            case IOException _ when reason.contains("directory") -> ErrorClass.BAD_FILE;
            default -> ErrorClass.IO;
        };
    }
}
