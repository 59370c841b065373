package org.madcast.client.lease;

import java.io.IOException;

/** The service, or this process, has not the certificate that the other side wants. */
final class UntrustedServiceException extends IOException {

    private static final long serialVersionUID = 1L;

    UntrustedServiceException(String message, IOException cause) {
        super(message, cause);
    }
}
