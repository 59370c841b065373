package org.madcast.client;

/**
 * Which algorithm serves a broadcast, and why.
 *
 * @param algorithm what is used
 * @param reason why, a sentence without its full stop
 */
public record AlgorithmSelection(Algorithm algorithm, String reason) {}
