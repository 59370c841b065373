/** The Java MPI APIs of Open MPI and of mpiJava 1.2, on Madcast's client library. */
module org.madcast.mpi {
    requires static org.jspecify;
    requires org.madcast.client;

    exports mpi;
    exports mpjbuf;
}
