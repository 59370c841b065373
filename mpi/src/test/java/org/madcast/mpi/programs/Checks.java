package org.madcast.mpi.programs;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Objects;
import mpi.MPI;
import mpi.MPIException;

/** The checks of a test program: each that fails is printed, and the program ends with 1. */
public final class Checks {

    private static int failed;

    private Checks() {}

    /** Two values are equal; arrays by their elements. */
    public static void equal(String what, Object expected, Object found) {
        if (!Objects.deepEquals(expected, found)) {
            fail(what, text(found) + " where " + text(expected) + " is expected");
        }
    }

    private static String text(Object value) {
        String inArray = Arrays.deepToString(new Object[] {value});
        return inArray.substring(1, inArray.length() - 1);
    }

    /** A condition holds. */
    public static void that(String what, boolean holds) {
        if (!holds) {
            fail(what, "does not hold");
        }
    }

    /** A call throws an exception of this error class, with a sentence. */
    public static void fails(String what, int errorClass, Runnable call) {
        try {
            call.run();
            fail(what, "no exception");
        } catch (MPIException error) {
            if (error.getErrorClass() != errorClass) {
                fail(
                        what,
                        "error class %d where %d is expected: %s"
                                .formatted(error.getErrorClass(), errorClass, error.getMessage()));
            }
            String message = String.valueOf(error.getMessage());
            if (!message.startsWith(nameOf(errorClass) + ": ") || message.length() < 20) {
                fail(what, "no name of the class and a sentence: " + message);
            }
        } catch (RuntimeException other) {
            fail(what, other.toString());
        }
    }

    /** MPI's name of an error class, from the constants of class MPI. */
    private static String nameOf(int errorClass) {
        return Arrays.stream(MPI.class.getFields())
                .filter(field -> field.getName().startsWith("ERR_"))
                .filter(field -> value(field) == errorClass)
                .map(field -> "MPI_" + field.getName())
                .findFirst()
                .orElseThrow();
    }

    private static int value(Field constant) {
        try {
            return constant.getInt(null);
        } catch (IllegalAccessException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    private static synchronized void fail(String what, String why) {
        failed++;
        StackTraceElement at =
                Arrays.stream(new Throwable().getStackTrace())
                        .filter(frame -> !frame.getClassName().equals(Checks.class.getName()))
                        .findFirst()
                        .orElseThrow();
        System.out.println(what + ": " + why + " (" + at + ")");
    }

    /** Ends the program with 1 if a check has failed. */
    public static void end() {
        if (failed > 0) {
            System.out.flush();
            Runtime.getRuntime().halt(1);
        }
    }
}
