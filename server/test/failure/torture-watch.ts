import { setTimeout as delay } from "node:timers/promises";
import type { Finding } from "./torture-findings.ts";
import type { Installation } from "./torture-installation.ts";

/** Watches over what the processes say of the audit log: an alarm of missing records or a stopped log is false here, whenever it is raised. */
export class AlarmWatch {
  readonly #installation: Installation;
  readonly #seen = new Map<string, string>();
  #watching: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  start(): void {
    this.#watching = (async () => {
      while (!this.#ended) {
        await this.look();
        await delay(1_000);
      }
    })();
  }

  async stop(): Promise<Finding[]> {
    this.#ended = true;
    await this.#watching;
    return [...this.#seen.values()].map((what) => ({ group: "audit", kind: "alarm", what }));
  }

  /** What `/readyz` of the processes says beside their state, and whether they are ready. */
  async look(): Promise<{ name: string; ready: boolean; said: string }[]> {
    return Promise.all(
      this.#installation.probes().map(async ({ name, ready, metrics }) => {
        const [probe, figures] = await Promise.all([textOf(ready), textOf(metrics)]);
        const { status, ...more } = probe.startsWith("{") ? JSON.parse(probe) : { status: "no answer" };
        const said = Object.keys(more).length > 0 ? JSON.stringify(more) : "";
        for (const alarm of ["audit_records_missing", "audit_log_stopped"]) {
          if (alarm in more) this.#note(name, alarm, said);
        }
        const missing = /^aos_audit_missing_records_total\{[^}]*\} [1-9].*$/m.exec(figures)?.[0];
        if (missing) this.#note(name, "metric", missing);
        return { name, ready: status === "ready", said };
      }),
    );
  }

  #note(name: string, kind: string, said: string): void {
    const key = `${name} ${kind}`;
    if (!this.#seen.has(key)) this.#seen.set(key, `${new Date().toISOString()} ${name}: ${said}`);
  }
}

const textOf = (url: string): Promise<string> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.text(),
    () => "",
  );

/** Lines that no process may print, whatever happens to its database or its neighbours. */
const forbidden =
  /uncaught|unhandled|internal_error|that this process acknowledged: |is not in the log|TypeError|ReferenceError|RangeError/i;

/** What the processes printed that they should not have, and all errors by their message. */
export function readLogs(installation: Installation): { findings: Finding[]; errors: Map<string, number> } {
  const findings: Finding[] = [];
  const errors = new Map<string, number>();
  for (const { name, text } of installation.printed()) {
    for (const line of text.split("\n")) {
      if (forbidden.test(line))
        findings.push({ group: "processes", kind: "fault", what: `${name}: ${line.slice(0, 1_200)}` });
      const message = /"level":"?(?:error|fatal|50|60)"?.*"msg":"([^"]{1,120})/.exec(line)?.[1];
      if (message) errors.set(message, (errors.get(message) ?? 0) + 1);
    }
  }
  for (const what of installation.ended) findings.push({ group: "processes", kind: "fault", what });
  return { findings, errors };
}
