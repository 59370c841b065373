package mpi;

/** Which part of a file a rank sees (MPI_File_get_view). */
public final class FileView {

    private final long disp;
    private final Datatype etype;
    private final Datatype filetype;
    private final String datarep;

    /**
     * A view.
     *
     * @param disp where it begins, in bytes
     * @param etype what offsets count
     * @param filetype where the etypes are, repeated as often as needed
     * @param datarep how data are represented, such as {@code native}
     */
    public FileView(long disp, Datatype etype, Datatype filetype, String datarep) {
        this.disp = disp;
        this.etype = etype;
        this.filetype = filetype;
        this.datarep = datarep;
    }

    /** Where it begins, in bytes. */
    public long getDisp() {
        return disp;
    }

    /** What offsets count. */
    public Datatype getEType() {
        return etype;
    }

    /** Where the etypes are. */
    public Datatype getFileType() {
        return filetype;
    }

    /** How data are represented. */
    public String getDataRep() {
        return datarep;
    }
}
