package org.madcast.client;

/**
 * Which algorithm serves a collective operation, and why.
 *
 * @param algorithm what is used
 * @param reason why, a sentence without its full stop
 */
public record CollectiveSelection(CollectiveAlgorithm algorithm, String reason) {}
