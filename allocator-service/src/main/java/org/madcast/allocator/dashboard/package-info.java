/**
 * The pages that show several features: the overview, the jobs, and the scopes with who had an
 * address, which lies here because leases see scopes and not the other way round. All other pages
 * lie with their feature.
 */
@NullMarked
package org.madcast.allocator.dashboard;

import org.jspecify.annotations.NullMarked;
