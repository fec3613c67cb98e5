import { eventCatalogue } from "../kernel/events.ts";
import type { Readers, Sight } from "../kernel/readers.ts";
import { storedJson } from "../kernel/stored-json.ts";

// How events are read in the order of their sequence, for all who follow them: the log, its stream, and the machine that delivers.

/** An event as it is stored, with its place in the environment's sequence. */
export interface StoredEvent {
  sequence: number;
  event_id: string;
  type: string;
  task_id: string | null;
  audit_id: string | null;
  /** The flat body: JSON. */
  body: string;
  /** Of the task that it belongs to; null: of none. */
  risk: string | null;
  /** The lists of readers of the object that it is about, as they are now; null: it has none. */
  readers: readonly Readers[] | null;
}
export const eventJson = storedJson<{ body: Record<string, unknown> }>();

let readersText: string | undefined;

/**
 * SQL: the lists of readers of the object that an event `e` is about, as its type declares them. An object that is not found, and a type that is no longer
 * declared, have a list of nobody.
 */
export function readersOfEvent(): string {
  readersText ??= readersByType();
  return readersText;
}

function readersByType(): string {
  const byRule = Map.groupBy(eventCatalogue(), ({ readers }) => readers.lists);
  const cases = [...byRule].map(([lists, types]) => {
    const names = types.map(({ type }) => `'${type}'`).join(", ");
    return `when e.type in (${names}) then ${lists === null ? "null" : `coalesce(${lists}, '[[]]')`}`;
  });
  return `(case ${cases.join(" ")} else '[[]]'::jsonb end)`;
}

/** SQL: whether lists of readers, as a JSON array, admit all of a sight. `bind` adds a parameter and returns how the statement names it. */
export const admits = (lists: string, sight: Sight, bind: (value: unknown) => string): string => {
  const each = sight.flatMap((tokens) =>
    tokens === null
      ? []
      : `not exists (select from jsonb_array_elements(${lists}) list where jsonb_typeof(list) = 'array' and not list ?| ${bind(tokens)}::text[])`,
  );
  return each.length === 0 ? "true" : `(${each.join(" and ")})`;
};

export const storedEventColumns = (): string =>
  `p.sequence, p.event_id, p.type, p.task_id, p.audit_id, e.body, t.risk_level as risk, ${readersOfEvent()} as readers`;

/** From `event_positions p`. */
export const storedEventJoins = `join events e on e.organization = p.organization and e.environment = p.environment and e.id = p.event_id
  left join tasks t on t.organization = p.organization and t.environment = p.environment and t.id = p.task_id`;
