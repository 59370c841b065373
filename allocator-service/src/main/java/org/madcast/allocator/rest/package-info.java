/** The REST interface, version 1: JSON records, controllers and RFC 9457 problems. */
@NullMarked
package org.madcast.allocator.rest;

import org.jspecify.annotations.NullMarked;
