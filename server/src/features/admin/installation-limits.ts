import { keptFor } from "../../kernel/idempotency.ts";
import { PAGE_LIMIT } from "../../kernel/page.ts";
import type { SettingLimits } from "./people-schemas.ts";

/** The limits that hold for every call of the installation. A test holds each of them against what the service does. */
export const installationLimits: SettingLimits = {
  json_body_bytes: 1_048_576,
  json_depth: 32,
  headers_bytes: 16_384,
  request_seconds: 30,
  wait_seconds: 60,
  batch_items: 100,
  page_items: PAGE_LIMIT.most,
  idempotency_hours: keptFor / 3_600_000,
};
