/** {@code madcast bench-leases}: how many leases a second the service grants and takes back. */
@NullMarked
package org.madcast.measure.leasebench;

import org.jspecify.annotations.NullMarked;
