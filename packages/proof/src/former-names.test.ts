import { expect, it } from "vitest";
import { recordFilter } from "./export-filter.ts";
import { auditRecord } from "./record.fixture.ts";

it.each([
  ["governance.engageKillSwitch", "kill_switch:ksw_1"],
  ["governance.engageStop", "stop:ksw_1"],
])("a filter by today's names fits a record of %s about %s, whose names never change", (operation, object) => {
  const record = auditRecord({ operation, object });
  expect(recordFilter({ action: "governance.engageKillSwitch", object: "kill_switch:ksw_1" })(record, 0)).toBe(true);
  expect(recordFilter({ action: "governance.releaseKillSwitch" })(record, 0)).toBe(false);
});
