/**
 * How long a worker that works on a row may be silent before another one takes the row up, so that it is woken within 30 seconds (seconds), and how often it says that it
 * is at work (milliseconds). A pause of the database of 20 seconds costs nobody a lease.
 */
export const workLease = { seconds: 25, renewMs: 4_000 } as const;

/** SQL: until when a lease lasts that is taken or renewed now, by the database's clock. */
export const leaseEnd = `now() + interval '${workLease.seconds} seconds'`;
