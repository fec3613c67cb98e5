import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Access } from "./access.ts";
import { findEntry, keepEntry } from "./credentials.ts";
import { nearest } from "./suggest.ts";
import { CommandError, now, painter, printable, type Terminal } from "./terminal.ts";

export interface LoggedEvent {
  readonly event_id: string;
  /** Null: a sample, which is in no log. */
  readonly sequence: number | null;
  readonly type: string;
  readonly time: string;
  readonly task_id: string | null;
  readonly audit_ref: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export const formats = ["flat", "standard", "cloudevents"] as const;
export type Format = (typeof formats)[number];

export interface Forwarded {
  /** The status of its answer; null where none came. */
  readonly status: number | null;
  readonly error: string | null;
  readonly latency_ms: number;
}

export interface Target {
  readonly url: string;
  readonly secret: string;
  readonly environment: string;
  readonly format: Format;
}

/** Milliseconds that a receiver has to respond, as with deliveries of the service. */
const patience = 15_000;

/** Sends an event to a program as the service delivers it: same body and headers, signed by Standard Webhooks with the secret of the profile. */
export async function forward(event: LoggedEvent, { url, secret, environment, format }: Target): Promise<Forwarded> {
  const body = bodyOf(event, environment, format);
  const at = new Date(now());
  const headers = {
    "content-type":
      format === "cloudevents" ? "application/cloudevents+json; charset=utf-8" : "application/json; charset=utf-8",
    "webhook-id": event.event_id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(event.event_id, at, body),
    "aos-environment": environment,
    ...(event.sequence === null ? { "aos-test": "true" } : { "aos-sequence": String(event.sequence) }),
    ...(event.audit_ref === null ? {} : { "aos-audit-ref": event.audit_ref }),
  };
  const began = now();
  const ended = (status: number | null, error: string | null): Forwarded => ({
    status,
    error,
    latency_ms: Math.round(now() - began),
  });
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(patience),
    });
    await response.body?.cancel();
    return ended(response.status, null);
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    const why = cause?.code === "ECONNREFUSED" ? "nothing listens there" : (cause?.code ?? "no answer");
    return ended(null, name === "TimeoutError" ? `no response within ${patience / 1000} s` : why);
  }
}

function bodyOf({ event_id, type, time, task_id, data }: LoggedEvent, environment: string, format: Format): string {
  if (format === "flat") return JSON.stringify(data);
  if (format === "standard") return JSON.stringify({ type, timestamp: time, data });
  const subject = task_id === null ? {} : { subject: task_id };
  return JSON.stringify({
    specversion: "1.0",
    id: event_id,
    source: `/environments/${environment}`,
    type,
    time,
    ...subject,
    datacontenttype: "application/json",
    data,
  });
}

export const isTaken = ({ status }: Forwarded): boolean => status !== null && status >= 200 && status < 300;

export function forwardedLine(
  { type, event_id, task_id }: LoggedEvent,
  forwarded: Forwarded,
  terminal: Terminal,
): string {
  const paint = painter(terminal);
  const { status, error, latency_ms } = forwarded;
  const outcome = isTaken(forwarded)
    ? paint.added(String(status))
    : paint.removed(status === null ? (error ?? "") : String(status));
  return `${outcome}  ${String(latency_ms).padStart(5)} ms  ${printable(type).padEnd(26)}  ${paint.faint(`${event_id}${task_id === null ? "" : `  ${task_id}`}`)}`;
}

/** The signing secret of a profile on this machine, created at its first use. */
export async function secretOf(env: Terminal["env"], { profile, url }: Access): Promise<string> {
  const kept = await findEntry(env, profile, url);
  if (kept?.webhook_secret) return kept.webhook_secret;
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  await keepEntry(env, { profile, url, key: kept?.key ?? null, webhook_secret: secret });
  return secret;
}

/** A bare number is a port of this machine. */
export function targetUrl(text: string): string {
  const whole = /^\d{1,5}$/.test(text) ? `http://127.0.0.1:${text}` : text;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandError("--forward-to takes the address of your program, such as http://127.0.0.1:3000/webhooks.");
  return url.href;
}

/** Names the nearest event, if one is near. */
export function unknownEvent(name: string, types: readonly string[]): CommandError {
  const near = nearest(name, types);
  return new CommandError(
    `Unknown event ${JSON.stringify(name)}.${near === undefined ? "" : ` Did you mean ${near}?`} aos webhooks event-types list shows them.`,
  );
}
