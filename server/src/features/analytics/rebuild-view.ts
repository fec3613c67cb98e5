import { isoTime, timestamp } from "../../kernel/clock.ts";
import { minuteMs } from "./families.ts";
import type { Rebuild } from "./rebuild-schemas.ts";
import type { RebuildRow } from "./rebuild-store.ts";

export function rebuildView(row: RebuildRow): Rebuild {
  const { starts, ends, done } = row;
  return {
    state: row.finished_at === null ? "running" : "finished",
    from: timestamp(starts * minuteMs),
    to: timestamp(ends * minuteMs),
    done_until: timestamp(done * minuteMs),
    share: ends === starts ? 1 : (done - starts) / (ends - starts),
    counted: Number(row.sources),
    requested_by: row.requested_by,
    requested_at: isoTime(row.requested_at),
    finished_at: isoTime(row.finished_at),
  };
}

export const exampleRebuild: Rebuild = {
  ...{ state: "running", from: "2026-10-01T07:12:00.000Z", to: "2026-11-02T09:30:00.000Z" },
  ...{ done_until: "2026-10-17T07:12:00.000Z", share: 0.5, counted: 48_210 },
  ...{ requested_by: "mbr_01jd8x0000000000000000000e", requested_at: "2026-11-02T09:29:41.000Z", finished_at: null },
};
