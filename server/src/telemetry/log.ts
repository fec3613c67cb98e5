import pino, { type LogFn, type Logger } from "pino";
import { createFloodGate } from "./log-flood.ts";

/** Members that may hold secrets never reach a log by their names, wherever they stand in what is logged. */
const redacted = ["req.headers.authorization", "*.authorization", "*.password", "*.secret", "*.key"];

/**
 * What has the form of a secret is not written, whoever logs it in whatever text: keys of ours (`key-format.ts`) and of providers, credentials of
 * requests, passwords in addresses.
 */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/aos_(dev|stg|prd)_[0-9A-Za-z]{6,}/g, "aos_$1_[redacted]"],
  [/\b(Bearer|Basic) +[!-!#-[\]-~]+/gi, "$1 [redacted]"],
  [/\b(?:sk|pk|rk|whsec|xox[abp]|gh[pousr])[-_][0-9A-Za-z_/+=-]{12,}/g, "[redacted]"],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"\\]*):[^\s@/"\\]+@/gi, "$1:[redacted]@"],
];

/** A line of the log without what has the form of a secret. */
export function withoutSecrets(line: string): string {
  return secrets.reduce((text, [form, instead]) => text.replaceAll(form, instead), line);
}

/** What a log holds of an error: its text and where it came from; of the database's errors not the rows that they quote (`detail`, `where`). */
export function errorSeen(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === "object" ? "not an error" : String(error);
  const { name, message, stack, cause } = error;
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  const more = depth < 3;
  return {
    type: name,
    message,
    stack,
    ...(typeof code === "string" ? { code } : {}),
    ...(more && cause !== undefined ? { cause: errorSeen(cause, depth + 1) } : {}),
    ...(more && Array.isArray(errors) ? { errors: errors.slice(0, 10).map((one) => errorSeen(one, depth + 1)) } : {}),
  };
}

/**
 * The log of a process: one JSON line per entry, on standard error unless `to` says otherwise. `trace`: the trace that is under way; its id stands in every
 * line that is written within.
 */
export function createLog(
  level: string,
  trace: () => string | null = () => null,
  to: pino.DestinationStream = pino.destination(2),
): Logger {
  const pass = createFloodGate();
  return pino(
    {
      level,
      base: null,
      redact: redacted,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => errorSeen(error) },
      hooks: {
        streamWrite: withoutSecrets,
        logMethod(args, method, level) {
          pass(args, level, (given) => method.apply(this, given as Parameters<LogFn>));
        },
      },
      mixin() {
        const id = trace();
        return id === null ? {} : { trace_id: id };
      },
    },
    to,
  );
}

/** Writes faults of ours to the log, with the request by which a caller can ask for them. */
export function reporter(log: Logger): (error: unknown, requestId?: string, operation?: string) => void {
  return (error, requestId, operation) =>
    log.error({ err: error, request_id: requestId, operation }, "a fault of the service");
}
