/**
 * Files and trees as a collective operation: {@link org.madcast.client.file.FileBroadcast}. Sees
 * the public package only, and the file system; never the network.
 */
@NullMarked
package org.madcast.client.file;

import org.jspecify.annotations.NullMarked;
