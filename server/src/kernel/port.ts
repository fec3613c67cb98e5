/** What one part of a service needs and another has, by type. The context of a call finds what its own service has: `ctx.port(policyPort)`. */
export interface Port<T> {
  /** For messages. */
  readonly name: string;
  /** Its place among what a service has. */
  readonly slot: number;
  /** Never set: carries the type. */
  readonly type?: T;
}

/** Finds what a service has for a port. Contexts of calls, and what jobs and sweeps are given, are such. */
export interface PortReader {
  port<T>(port: Port<T>): T;
}

/** A port with what a service has for it. */
export interface JoinedPort {
  readonly port: Port<unknown>;
  readonly part: unknown;
}

const declaredPorts: Port<unknown>[] = [];

/**
 * Declares what a slice needs and does not have: functions of a slice that imports it, so that no two slices import each other, or a part of the service with
 * state of its own. `wiring/ports.ts` joins every port. `among`: a list of its own, for tests.
 */
export function definePort<T>(name: string, among: Port<unknown>[] = declaredPorts): Port<T> {
  const port: Port<T> = { name, slot: among.length };
  among.push(port);
  return port;
}

/** Names what a service has for a port. */
export function join<T>(port: Port<T>, part: T): JoinedPort {
  return { port, part };
}

/** What a service has for its ports. Throws, naming it, if a port that was declared is not joined, or is joined twice. */
export function createPorts(
  joined: readonly JoinedPort[],
  declared: readonly Port<unknown>[] = declaredPorts,
): PortReader["port"] {
  const open = new Set(declared);
  const parts: unknown[] = [];
  for (const { port, part } of joined) {
    if (!open.delete(port))
      throw new Error(`The port "${port.name}" is joined twice, or not declared: see wiring/ports.ts.`);
    parts[port.slot] = part;
  }
  const missing = [...open].map(({ name }) => `"${name}"`).join(", ");
  if (missing !== "") throw new Error(`Nothing is joined to the port ${missing}: add it to wiring/ports.ts.`);
  return <T>({ slot }: Port<T>) => parts[slot] as T;
}
