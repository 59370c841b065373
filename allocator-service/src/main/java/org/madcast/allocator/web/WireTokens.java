package org.madcast.allocator.web;

/** Who is told the tokens that datagrams carry: not those who may only look. */
public final class WireTokens {

    /** The request's attribute that says whether its caller is told, a boolean. */
    public static final String TOLD = "madcast.wire-tokens-told";

    private WireTokens() {}
}
