package mpi;

import java.nio.Buffer;

/** Accesses to a window's memory. Their buffers are direct ones. */
abstract class WinAccess extends WinSynchronization {

    /** Stores data at a target (MPI_Put). */
    public void put(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType)
            throws MPIException {
        Origin from = new Origin(origin, orgCount, orgType);
        Target to = new Target(targetRank, targetDisp, targetCount, targetType);
        run(it -> put(it, from, to));
    }

    /** As {@link #put}; the request ends when the buffer is free (MPI_Rput). */
    public Request rPut(
            Buffer origin_addr,
            int origin_count,
            Datatype origin_datatype,
            int target_rank,
            int target_disp,
            int target_count,
            Datatype target_datatype)
            throws MPIException {
        Origin from = new Origin(origin_addr, origin_count, origin_datatype);
        Target to = new Target(target_rank, target_disp, target_count, target_datatype);
        return request(it -> put(it, from, to));
    }

    /** Reads data of a target (MPI_Get). */
    public void get(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType)
            throws MPIException {
        Origin into = new Origin(origin, orgCount, orgType);
        Target from = new Target(targetRank, targetDisp, targetCount, targetType);
        run(it -> get(it, into, from));
    }

    /** As {@link #get}; the request ends when the data are there (MPI_Rget). */
    public Request rGet(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType)
            throws MPIException {
        Origin into = new Origin(origin, orgCount, orgType);
        Target from = new Target(targetRank, targetDisp, targetCount, targetType);
        return request(it -> get(it, into, from));
    }

    /** Combines data with those of a target, element by element (MPI_Accumulate). */
    public void accumulate(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType,
            Op op)
            throws MPIException {
        Origin from = new Origin(origin, orgCount, orgType);
        Target to = new Target(targetRank, targetDisp, targetCount, targetType);
        run(it -> accumulate(it, from, to, op));
    }

    /** As {@link #accumulate}; the request ends when the buffer is free (MPI_Raccumulate). */
    public Request rAccumulate(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType,
            Op op)
            throws MPIException {
        Origin from = new Origin(origin, orgCount, orgType);
        Target to = new Target(targetRank, targetDisp, targetCount, targetType);
        return request(it -> accumulate(it, from, to, op));
    }

    /** Reads data of a target, then combines them, as one step (MPI_Get_accumulate). */
    public void getAccumulate(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            Buffer resultAddr,
            int resultCount,
            Datatype resultType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType,
            Op op)
            throws MPIException {
        Origin from = new Origin(origin, orgCount, orgType);
        Origin result = new Origin(resultAddr, resultCount, resultType);
        Target to = new Target(targetRank, targetDisp, targetCount, targetType);
        run(it -> getAccumulate(it, from, result, to, op));
    }

    /** As {@link #getAccumulate}; the request ends with the data (MPI_Rget_accumulate). */
    public Request rGetAccumulate(
            Buffer origin,
            int orgCount,
            Datatype orgType,
            Buffer resultAddr,
            int resultCount,
            Datatype resultType,
            int targetRank,
            int targetDisp,
            int targetCount,
            Datatype targetType,
            Op op)
            throws MPIException {
        Origin from = new Origin(origin, orgCount, orgType);
        Origin result = new Origin(resultAddr, resultCount, resultType);
        Target to = new Target(targetRank, targetDisp, targetCount, targetType);
        return request(it -> getAccumulate(it, from, result, to, op));
    }

    /** Reads one element of a target, then combines it, as one step (MPI_Fetch_and_op). */
    public void fetchAndOp(
            Buffer origin,
            Buffer resultAddr,
            Datatype dataType,
            int targetRank,
            int targetDisp,
            Op op)
            throws MPIException {
        Origin from = new Origin(origin, 1, dataType);
        Origin result = new Origin(resultAddr, 1, dataType);
        Target to = new Target(targetRank, targetDisp, 1, dataType);
        run(it -> {
            checkPredefined(dataType);
            getAccumulate(it, from, result, to, op);
        });
    }

    /**
     * Reads one element of a target, and replaces it if it is equal to {@code compareAddr}'s, as
     * one step (MPI_Compare_and_swap).
     */
    public void compareAndSwap(
            Buffer origin,
            Buffer compareAddr,
            Buffer resultAddr,
            Datatype targetType,
            int targetRank,
            int targetDisp)
            throws MPIException {
        Target to = new Target(targetRank, targetDisp, 1, targetType);
        run(it -> compareAndSwap(it, origin, compareAddr, resultAddr, to));
    }
}
