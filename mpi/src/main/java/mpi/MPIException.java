package mpi;

import org.jspecify.annotations.Nullable;

/**
 * An error that MPI has a class for. It need not be caught: mpiJava's programs do not declare it,
 * Open MPI's may. The message of one that a call throws begins with the name of its class, such as
 * {@code MPI_ERR_RANK: }.
 */
public class MPIException extends RuntimeException {

    @java.io.Serial private static final long serialVersionUID = 1L;

    private final int errorClass;

    /** An error without a sentence. */
    public MPIException() {
        this("unknown error", null, ErrorClass.OTHER);
    }

    /** An error that a program reports. */
    public MPIException(String message) {
        this(message, null, ErrorClass.OTHER);
    }

    /** An error with what caused it. */
    public MPIException(Throwable cause) {
        this(String.valueOf(cause.getMessage()), cause, ErrorClass.OTHER);
    }

    private MPIException(String message, @Nullable Throwable cause, ErrorClass errorClass) {
        super(message, cause);
        this.errorClass = errorClass.code();
    }

    MPIException(ErrorClass errorClass, String message) {
        this(errorClass.title() + ": " + message, null, errorClass);
    }

    MPIException(ErrorClass errorClass, String message, Throwable cause) {
        this(errorClass.title() + ": " + message, cause, errorClass);
    }

    /** The message without the name of its class. */
    String sentence() {
        String prefix = ErrorClass.of(errorClass).title() + ": ";
        String message = String.valueOf(getMessage());
        return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    }

    /** The error's code, which is its class (MPI_Error_class). */
    public int getErrorCode() {
        return errorClass;
    }

    /** One of {@code MPI.ERR_...} (MPI_Error_class). */
    public int getErrorClass() {
        return errorClass;
    }
}
