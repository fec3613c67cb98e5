import { exampleBase } from "../example.ts";
import type { Connector, Sync } from "./schemas.ts";

export const exampleSync: Sync = {
  sync_id: "syn_01jd8x0000000000000000000s",
  base_id: exampleBase.base_id,
  connector_id: "cnr_01jd8x0000000000000000000c",
  connector: "handbook",
  trigger: "schedule",
  state: "completed",
  added: 3,
  changed: 1,
  removed: 0,
  unchanged: 412,
  failed: 0,
  partial: null,
  error: null,
  requested_by: exampleBase.author,
  created_at: "2026-11-21T02:01:10.000Z",
  started_at: "2026-11-21T02:01:10.000Z",
  finished_at: "2026-11-21T02:04:02.000Z",
};

export const exampleConnector: Connector = {
  connector_id: exampleSync.connector_id,
  base_id: exampleBase.base_id,
  name: exampleSync.connector,
  kind: "website",
  source: { url: "https://handbook.example.com/", include: ["guides/**"] },
  connection: null,
  has_credentials: false,
  schedule: { cron: "0 3 * * *", time_zone: "Europe/Zurich" },
  next_run_at: "2026-11-22T02:01:10.000Z",
  readers: ["role:operator", "agent:sales"],
  keep_removed: false,
  state: "active",
  items: 416,
  failures_in_a_row: 0,
  last_sync: exampleSync,
  revision: 1,
  author: exampleBase.author,
  created_at: "2026-11-20T09:00:00.000Z",
  updated_at: "2026-11-20T09:00:00.000Z",
};
