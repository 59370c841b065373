package org.madcast.client;

import java.time.Duration;

/** How to broadcast: Siebert's parameters under their names, and ours. */
public record BroadcastParameters(Duration deathTimeout) {}
