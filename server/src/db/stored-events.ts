// How events are read in the order of their sequence, for all who follow them: the log, its stream, and the machine that delivers.

/** An event as it is stored, with its place in the environment's sequence. */
export interface StoredEvent {
  sequence: number;
  event_id: string;
  type: string;
  task_id: string | null;
  audit_id: string | null;
  /** The flat body, as JSON. */
  body: string;
  /** Of the task that it belongs to; null: of none. */
  risk: string | null;
}

export const storedEventColumns = "p.sequence, p.event_id, p.type, p.task_id, p.audit_id, e.body, t.risk_level as risk";

/** From `event_positions p`. */
export const storedEventJoins = `join events e on e.organization = p.organization and e.environment = p.environment and e.id = p.event_id
  left join tasks t on t.organization = p.organization and t.environment = p.environment and t.id = p.task_id`;
