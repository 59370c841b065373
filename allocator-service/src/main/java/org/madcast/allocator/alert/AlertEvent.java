package org.madcast.allocator.alert;

import java.util.List;

/**
 * The alerts were looked for.
 *
 * @param alerts what was found
 */
public record AlertEvent(List<Alert> alerts) {}
