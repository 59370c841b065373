/** What the controllers of all features share: problems, limits, and the server's connections. */
@NullMarked
package org.madcast.allocator.web;

import org.jspecify.annotations.NullMarked;
