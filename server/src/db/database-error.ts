/**
 * The database cannot be used: it does not start, cannot be reached, is too old, is held by another process.
 * `message` is one line, names what to do, and carries neither a password nor a driver's text; the driver's error is `cause`.
 */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

/** Where this part reports what an operator should know; a pino logger fits. */
export interface DatabaseLog {
  info(message: string): void;
  warn(message: string): void;
}
