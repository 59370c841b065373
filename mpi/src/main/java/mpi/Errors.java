package mpi;

import java.nio.ReadOnlyBufferException;
import java.util.concurrent.CompletionException;
import org.madcast.client.MessageTooLongException;
import org.madcast.client.MismatchException;
import org.madcast.client.RankLostException;
import org.madcast.mpi.rma.RmaException;

/** From what goes wrong to MPI's error classes, and on to an error handler. */
final class Errors {

    private static final StackWalker STACK =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private Errors() {}

    /** What a call that belongs to no communicator throws, after COMM_WORLD's error handler. */
    static MPIException raise(RuntimeException failed) {
        return raise(MPI.COMM_WORLD.handler(), failed);
    }

    /**
     * What a call throws. When the handler is fatal and the call is not one of mpiJava's, the job
     * ends here.
     */
    static MPIException raise(Errhandler handler, RuntimeException failed) {
        MPIException error = of(failed);
        if (handler.isFatal() && Environment.isRunning()) {
            String call = call();
            if (!isOfMpiJava(call)) {
                Environment.current().endJob(call, error);
            }
        }
        return error;
    }

    /**
     * Both APIs have {@code clone}: that it throws is right in the one, and no harm in the other.
     */
    private static boolean isOfMpiJava(String call) {
        return Character.isUpperCase(call.charAt(0)) || call.equals("clone");
    }

    /** The method of the API that the program called. */
    static String call() {
        return STACK.walk(frames ->
                frames.takeWhile(frame ->
                                frame.getClassName().startsWith("mpi.")
                                        || frame.getClassName().startsWith("org.madcast.")
                                        || frame.getClassName().startsWith("java."))
                        .filter(frame -> frame.getClassName().startsWith("mpi."))
                        .reduce((_, outer) -> outer)
                        .map(Errors::nameOf)
                        .orElse("call"));
    }

    private static String nameOf(StackWalker.StackFrame frame) {
        return frame.getMethodName().equals("<init>")
                ? "new " + frame.getDeclaringClass().getSimpleName()
                : frame.getMethodName();
    }

    /** The exception of MPI's class for any other. */
    static MPIException of(Throwable failed) {
        String message = String.valueOf(failed.getMessage());
        return switch (failed) {
            case MPIException error -> error;
            case CompletionException wrapped when wrapped.getCause() != null ->
                    of(wrapped.getCause());
            case RankLostException lost -> new MPIException(ErrorClass.PROC_ABORTED, message, lost);
            case MessageTooLongException tooLong ->
                    new MPIException(ErrorClass.TRUNCATE, message, tooLong);
            case MismatchException mismatch ->
                    new MPIException(
                            mismatch.isOfLengths() ? ErrorClass.TRUNCATE : ErrorClass.OTHER,
                            message,
                            mismatch);
            case RmaException wrong -> new MPIException(classOf(wrong.kind()), message, wrong);
            case ReadOnlyBufferException readOnly ->
                    new MPIException(ErrorClass.BUFFER, "the buffer is read-only", readOnly);
            case UnsupportedOperationException unsupported ->
                    new MPIException(ErrorClass.UNSUPPORTED_OPERATION, message, unsupported);
            case NullPointerException missing ->
                    new MPIException(
                            ErrorClass.ARG, "an argument of " + call() + " is null", missing);
            case ArithmeticException tooLarge ->
                    new MPIException(
                            ErrorClass.ARG, "an argument of " + call() + " is too large", tooLarge);
            case IllegalArgumentException wrong -> new MPIException(ErrorClass.ARG, message, wrong);
            case IndexOutOfBoundsException wrong ->
                    new MPIException(ErrorClass.ARG, message, wrong);
            default -> new MPIException(ErrorClass.OTHER, message, failed);
        };
    }

    private static ErrorClass classOf(RmaException.Kind kind) {
        return switch (kind) {
            case RANGE -> ErrorClass.DISP;
            case SYNC -> ErrorClass.RMA_SYNC;
            case OTHER -> ErrorClass.OTHER;
        };
    }
}
