import pino, { type Logger } from "pino";

/** Secrets that must never reach a log, wherever they stand in what is logged. */
const redacted = ["req.headers.authorization", "*.authorization", "*.password", "*.secret", "*.key"];

/** The log of a process: one JSON line per entry on standard error. */
export function createLog(level: string): Logger {
  return pino({ level, base: null, redact: redacted, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}

/** Writes faults of ours to the log, with the request by which a caller can ask for them. */
export function reporter(log: Logger): (error: unknown, requestId?: string, operation?: string) => void {
  return (error, requestId, operation) => log.error({ err: error, request_id: requestId, operation }, "a fault of the service");
}
