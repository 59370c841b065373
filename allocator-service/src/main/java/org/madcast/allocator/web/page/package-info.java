/**
 * What the pages of all features share: their frame, error pages, charts, and numbers as people
 * read them. It sees no feature.
 */
@NullMarked
package org.madcast.allocator.web.page;

import org.jspecify.annotations.NullMarked;
