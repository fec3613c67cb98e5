import { createTree, resumeTree, type TreeBuilder } from "@aos/proof";
import { type LogScope, originOf } from "./scope.ts";
import { type Queryable, tileReader } from "./tile-store.ts";

/** A place in commit order: after everything up to the n-th row of transaction `xid` (64 bits, as decimal text). */
export interface CommitPosition {
  readonly xid: string;
  readonly n: number;
}

/** What the holder of a log knows of it between batches. Thrown away when a batch fails, and read again. */
export interface LogState {
  readonly scope: LogScope;
  readonly origin: string;
  readonly tree: TreeBuilder;
  /** The signed checkpoint of the tree; null before the first batch. */
  checkpoint: string | null;
  records: CommitPosition;
  events: CommitPosition;
  eventSequence: number;
  /** The last `key_seq` of the keys met so far. */
  readonly counters: Map<string, number>;
}

const start: CommitPosition = { xid: "0", n: -1 };

interface LogRow {
  origin: string;
  tree_size: string | number;
  checkpoint: string;
  last_xid: string;
  last_n: number;
  event_sequence: string | number;
  event_xid: string;
  event_n: number;
}

/** Reads a log's state, or that of an empty log. The origin under which a log began stays its own, whatever the installation is called later. */
export async function loadLogState(db: Queryable, scope: LogScope, installation: string): Promise<LogState> {
  const { rows } = await db.query<LogRow>({
    name: "audit_log_state",
    text: `select origin, tree_size, checkpoint, last_xid::text as last_xid, last_n, event_sequence, event_xid::text as event_xid, event_n
      from audit_logs where organization = $1 and environment = $2`,
    values: [scope.organization, scope.environment],
  });
  const row = rows[0];
  const counters = new Map<string, number>();
  if (!row) {
    const origin = originOf(installation, scope);
    return {
      scope,
      origin,
      tree: createTree({ tiles: true }),
      checkpoint: null,
      records: start,
      events: start,
      eventSequence: 0,
      counters,
    };
  }
  return {
    scope,
    origin: row.origin,
    tree: await resumeTree(tileReader(db, scope), Number(row.tree_size)),
    checkpoint: row.checkpoint,
    records: { xid: row.last_xid, n: row.last_n },
    events: { xid: row.event_xid, n: row.event_n },
    eventSequence: Number(row.event_sequence),
    counters,
  };
}
