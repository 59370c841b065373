package org.madcast.allocator.rest;

import org.apache.coyote.http11.Http11NioProtocol;

/**
 * HTTP/1.1 as the server has it, on connections that are shared fairly ({@link FairEndpoint}). The
 * server makes it by its name.
 */
public final class FairHttp extends Http11NioProtocol {

    /** One that does not run yet. */
    public FairHttp() {
        super(new FairEndpoint());
    }
}
