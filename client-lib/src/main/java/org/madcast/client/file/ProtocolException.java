package org.madcast.client.file;

import java.io.IOException;

/** What another rank says makes no sense: it runs another version, or is hostile. */
public final class ProtocolException extends IOException {

    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
        super(message);
    }
}
