import { exempt } from "../kernel/operation.ts";
import { ownTables, passing } from "../resources/tables.ts";

const nobody = exempt("times and names of processes");

export const owned = ownTables({
  worker_pools: { keeps: passing("Until the pool has ended."), personal: nobody },
  worker_presence: { keeps: passing("One row: when a worker was last there."), personal: nobody },
  worker_gaps: { keeps: passing("Until no lease is older than the gap."), personal: nobody },
});
