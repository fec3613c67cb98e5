import { defineRows, json, type StoredRow } from "../../../resources/rows.ts";
import { erasedWith, erasedWithRow, evidence, ownTables, untilRemoved } from "../../../resources/tables.ts";
import type { MissionTemplate } from "../schemas.ts";

export const owned = ownTables({
  mission_plans: {
    keeps: evidence("A mission's workflow is what its accepted plan says."),
    personal: { columns: ["plan", "note", "author", "accepted_by", "deciders"], erased: erasedWith("missions") },
  },
  mission_templates: {
    keeps: untilRemoved("No call removes a template."),
    personal: {
      columns: ["description", "mission", "steps", "author", "deciders"],
      erased: erasedWithRow("A template says what agents do, and who decided it."),
    },
  },
});

type TemplateJson = Pick<MissionTemplate, "mission" | "steps">;
export type TemplateRow = StoredRow<"mission_templates", TemplateJson>;

export const templates = defineRows({
  table: owned.mission_templates,
  key: "name",
  json: json<TemplateJson>()("mission", "steps"),
});
