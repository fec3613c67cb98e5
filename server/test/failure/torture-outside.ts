import { type Received, type Receiver, startReceiver } from "../../src/testing/receiver.ts";

/** The world outside of the installation: a service that tools write to, and a receiver of webhooks. */
export interface Outside {
  readonly url: string;
  /** By note: the idempotency keys that it came with. Each key takes effect once. */
  readonly effects: ReadonlyMap<string, ReadonlySet<string>>;
  /** By event: the bodies in which it came. */
  readonly events: ReadonlyMap<string, ReadonlySet<string>>;
  close(): Promise<void>;
}

export async function startOutside(): Promise<Outside> {
  const effects = new Map<string, Set<string>>();
  const events = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, at: string, what: string): void =>
    void map.set(at, (map.get(at) ?? new Set()).add(what));
  const take = ({ path, headers, body }: Received) => {
    if (path === "/notes") {
      const { note } = JSON.parse(body) as { note: string };
      add(effects, note, headers["idempotency-key"] ?? "without a key");
      return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify({ note }) };
    }
    if (path.startsWith("/events") && headers["aos-test"] !== "true") add(events, headers["webhook-id"] ?? "", body);
    return { status: 204 };
  };
  const receiver: Receiver = await startReceiver((request) => {
    receiver.received.length = 0; // what matters is in the maps
    return take(request);
  });
  return { url: receiver.url, effects, events, close: () => receiver.close() };
}
