import type { FactsReader } from "./facts.ts";

/** A part of a service that slices use and that holds state, such as connections to others. A context of a call finds that of its own service. */
export interface ServicePort<T> {
  /** Throws where the service has none. */
  of(ctx: { readonly facts: FactsReader }): T;
  join(facts: FactsReader, part: T): void;
}

/** Declares a part that each service of a process has of its own; a service is known by its facts, which all of its contexts share. */
export function defineServicePort<T>(name: string): ServicePort<T> {
  const parts = new WeakMap<FactsReader, T>();
  return {
    of({ facts }) {
      const part = parts.get(facts);
      if (part === undefined) throw new Error(`The service has no "${name}": see wiring/slice-ports.ts.`);
      return part;
    },
    join: (facts, part) => void parts.set(facts, part),
  };
}
