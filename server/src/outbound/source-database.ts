import { isIP } from "node:net";
import pg from "pg";
import Cursor from "pg-cursor";
import { type DatabaseTarget, SourceFault } from "../features/knowledge/ports.ts";
import { OutboundError, sentence } from "./errors.ts";
import type { Guard } from "./guard.ts";
import type { Resolve } from "./types.ts";

interface Reaching {
  readonly guard: Guard;
  readonly resolve: Resolve;
}

interface Limits {
  readonly batch: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const connectMs = 10_000;

/**
 * The rows of a query, read by a cursor in a read-only transaction. The host's addresses are checked as those of HTTP are, and the connection goes to the
 * one that was checked; without TLS a host is reached where http would be.
 */
export async function* databaseRows(
  reaching: Reaching,
  target: DatabaseTarget,
  query: string,
  { batch, timeoutMs, signal }: Limits,
): AsyncGenerator<Record<string, unknown>[]> {
  const client = await connect(reaching, target);
  const end = (): void => void client.end().catch(() => undefined);
  signal.addEventListener("abort", end, { once: true });
  try {
    await client.query("begin transaction isolation level repeatable read read only");
    await client.query(`set local statement_timeout = ${Math.trunc(timeoutMs)}`);
    const cursor = client.query(new Cursor<Record<string, unknown>>(query));
    for (;;) {
      const rows = await cursor.read(batch);
      if (rows.length === 0) break;
      yield rows;
    }
    await cursor.close();
    await client.query("rollback");
  } catch (error) {
    throw signal.aborted ? signal.reason : queryFault(error, target);
  } finally {
    signal.removeEventListener("abort", end);
    await client.end().catch(() => undefined);
  }
}

async function connect({ guard, resolve }: Reaching, target: DatabaseTarget): Promise<pg.Client> {
  const { host, port, tls, user, password, database } = target;
  try {
    const addresses = isIP(host) === 0 ? (await lookUp(resolve, host)).map(({ address }) => address) : [host];
    guard.checkAddresses({ protocol: tls ? "https:" : "http:", hostname: host, port: String(port) }, addresses);
    const client = new pg.Client({
      host: addresses[0] as string,
      port,
      user,
      password,
      database,
      ssl: tls ? { servername: isIP(host) === 0 ? host : "" } : false,
      application_name: "aos-knowledge",
      connectionTimeoutMillis: connectMs,
    });
    client.on("error", () => undefined); // whoever waits for an answer hears of it
    await client.connect();
    return client;
  } catch (cause) {
    if (cause instanceof OutboundError) throw new SourceFault(cause.code, sentence(cause.message), { cause });
    throw queryFault(cause, target);
  }
}

async function lookUp(resolve: Resolve, host: string) {
  try {
    return await resolve(host);
  } catch (cause) {
    if (cause instanceof OutboundError) throw cause;
    throw new OutboundError("name_not_found", `\`${host}\` cannot be looked up; check the name`, {
      sent: false,
      cause,
    });
  }
}

/** What the server says of the query, which people wrote; what it says of a sign-in could repeat the user's name and is put in words of ours. */
function queryFault(cause: unknown, { host, user, password }: DatabaseTarget): SourceFault {
  if (cause instanceof SourceFault) return cause;
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  if (/^28/.test(code ?? ""))
    return new SourceFault("unauthorized", `\`${host}\` does not accept the user and password.`, { cause });
  if (code === "57014")
    return new SourceFault("query_timeout", "The query took longer than its time limit and was cancelled.", { cause });
  if (/^[0-9A-Z]{5}$/.test(code ?? "")) {
    const said = [user, password].reduce((text, secret) => text.replaceAll(secret, "…"), message ?? "");
    return new SourceFault("query_failed", `The database refuses the query (${code}): ${said.slice(0, 500)}`, {
      cause,
    });
  }
  const detail = `The connection to \`${host}\` could not be made, or was lost${code === undefined ? "" : ` (${code})`}.`;
  return new SourceFault("connection_lost", detail, { unreachable: true, cause });
}
