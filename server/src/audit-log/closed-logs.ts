import { type ClosedLog, type LogMac, sameMac } from "./mac.ts";
import type { LogScope } from "./scope.ts";
import type { Queryable } from "./tile-store.ts";

/** The closed origins of a log, oldest first: only those whose rows this service wrote. */
export async function readClosedLogs(
  db: Queryable,
  scope: LogScope,
  mac: Pick<LogMac, "closed">,
): Promise<ClosedLog[]> {
  const { rows } = await db.query<ClosedRow>({
    name: "audit_closed_logs_read",
    text: `select epoch, origin, first_leaf, tree_size, checkpoint, verifier_key, adoption, mac from audit_closed_logs
      where organization = $1 and environment = $2 order by epoch`,
    values: [scope.organization, scope.environment],
  });
  const { organization, environment } = scope;
  return rows
    .map((row) => ({ closed: closedOf(row), mac: row.mac }))
    .filter((row) => sameMac(row.mac, mac.closed({ organization, environment, ...row.closed })))
    .map(({ closed }) => closed);
}

interface ClosedRow {
  readonly epoch: number;
  readonly origin: string;
  readonly first_leaf: string;
  readonly tree_size: string;
  readonly checkpoint: string;
  readonly verifier_key: string;
  readonly adoption: string;
  readonly mac: Buffer;
}

const closedOf = ({
  epoch,
  origin,
  first_leaf,
  tree_size,
  checkpoint,
  verifier_key,
  adoption,
}: ClosedRow): ClosedLog => ({
  ...{
    epoch,
    origin,
    firstLeaf: Number(first_leaf),
    size: Number(tree_size),
    checkpoint,
    verifierKey: verifier_key,
    adoption,
  },
});
