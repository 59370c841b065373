package mpi;

/** Which part of a file a rank sees (MPI_File_get_view). */
public final class FileView {

    private final long disp;
    private final Datatype eType;
    private final Datatype fileType;
    private final String dataRep;

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
        this.eType = etype;
        this.fileType = filetype;
        this.dataRep = datarep;
    }

    /** Where it begins, in bytes. */
    public long getDisp() {
        return disp;
    }

    /** What offsets count. */
    public Datatype getEType() {
        return eType;
    }

    /** Where the etypes are. */
    public Datatype getFileType() {
        return fileType;
    }

    /** How data are represented. */
    public String getDataRep() {
        return dataRep;
    }
}
