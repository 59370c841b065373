package org.madcast.client;

/** A message is longer than the buffer of its receive, which was not changed (MPI_ERR_TRUNCATE). */
public final class MessageTooLongException extends MadcastException {

    private static final long serialVersionUID = 1L;

    private final transient MessageStatus status;

    /** With the message's sender, tag and length. */
    public MessageTooLongException(MessageStatus status, long bufferBytes) {
        super(
                "a message of %d bytes from rank %d with tag %d does not fit in a buffer of %d bytes"
                        .formatted(status.bytes(), status.source(), status.tag(), bufferBytes),
                null);
        this.status = status;
    }

    /** The message's sender, tag and length. */
    public MessageStatus status() {
        return status;
    }
}
