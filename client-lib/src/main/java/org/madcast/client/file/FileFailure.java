package org.madcast.client.file;

/**
 * One file that did not arrive, or was not sent.
 *
 * @param path its path below the destination; empty when the rank failed as a whole
 * @param reason why, for people
 */
public record FileFailure(String path, String reason) {}
