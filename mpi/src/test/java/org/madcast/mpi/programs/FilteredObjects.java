package org.madcast.mpi.programs;

import java.net.URI;
import java.net.URL;
import java.util.UUID;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/** Objects under the process's own filter: its arguments name the classes that come through. */
public final class FilteredObjects {

    private FilteredObjects() {}

    public static void main(String[] args) throws java.net.MalformedURLException {
        String[] admitted = MPI.Init(args);
        String[] names = {URL.class.getName(), UUID.class.getName()};
        Object[] values = {URI.create("http://localhost/").toURL(), UUID.randomUUID()};
        for (int i = 0; i < values.length; i++) {
            String refusal = send(values[i]);
            if (java.util.List.of(admitted).contains(names[i])) {
                Checks.equal(names[i], "", refusal);
            } else {
                Checks.that("names " + names[i] + ": " + refusal, refusal.contains(names[i]));
            }
        }
        MPI.Finalize();
        Checks.end();
    }

    /** Sends an object to this rank itself; returns why it was refused. */
    private static String send(Object value) {
        Intracomm world = MPI.COMM_WORLD;
        Object[] got = new Object[1];
        try {
            Status _ =
                    world.Sendrecv(
                            new Object[] {value},
                            0,
                            1,
                            MPI.OBJECT,
                            0,
                            1,
                            got,
                            0,
                            1,
                            MPI.OBJECT,
                            0,
                            1);
            return "";
        } catch (MPIException refused) {
            Checks.equal("class of the error", MPI.ERR_TYPE, refused.getErrorClass());
            return refused.getMessage();
        }
    }
}
