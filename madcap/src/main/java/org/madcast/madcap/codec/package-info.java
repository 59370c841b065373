/** Messages to bytes and, from bytes that anybody may have sent, back. */
@NullMarked
package org.madcast.madcap.codec;

import org.jspecify.annotations.NullMarked;
