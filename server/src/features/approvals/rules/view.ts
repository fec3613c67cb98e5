import type { Row } from "../../../db/scoped.ts";
import type { RuleCondition, RuleDefinition } from "../../../kernel/approval-rules.ts";
import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { RequiredStage as Stage } from "../../../kernel/verdict.ts";
import type { Known } from "../delegations/rules.ts";
import { type Party, party } from "../party.ts";
import type { ApprovalRule, RequiredStage } from "./schemas.ts";
import type { VersionRow } from "./store.ts";

export type RuleRow = Omit<Row<"approval_rules">, "organization" | "environment" | "definition"> & {
  readonly definition: RuleDefinition;
};

export const revisionOf = (version: number, retired: boolean): string => `${version}${retired ? ".retired" : ""}`;

/** The revision that If-Match compares; of a free name `0`. */
export const revisionOfRow = (row: Pick<RuleRow, "version" | "retired_at"> | null | undefined): string =>
  row ? revisionOf(row.version, row.retired_at !== null) : "0";

/** A rule with its versions and the members that it names as authors. */
export interface KnownRule {
  readonly row: RuleRow;
  readonly versions: readonly VersionRow[];
  readonly members: ReadonlyMap<string, Known>;
}

export const stageView = ({ quorum, roles, teams, members }: Stage): RequiredStage => ({
  quorum,
  roles: [...roles],
  teams: [...teams],
  members: [...members],
});

function conditionView({ agents, skills, tools, ...others }: RuleCondition): ApprovalRule["when"] {
  return {
    ...(agents && { agents: [...agents] }),
    ...(skills && { skills: [...skills] }),
    ...(tools && { tools: [...tools] }),
    ...others,
  };
}

export function ruleView({ row, versions, members }: KnownRule): ApprovalRule {
  const named = (id: string): Party => party(id, members.get(id)?.name ?? null, members.get(id)?.kind ?? null);
  const { when, require } = row.definition;
  return {
    rule: row.name,
    title: row.title,
    version: row.version,
    state: row.retired_at === null ? "active" : "retired",
    when: conditionView(when),
    require: {
      stages: require.stages.map(stageView),
      four_eyes: require.four_eyes,
      expires_in_seconds: require.expiry?.expires_in_seconds ?? null,
      on_expiry: require.expiry?.on_expiry ?? null,
    },
    author: named(row.author),
    created_at: timestamp(row.created_at.getTime()),
    retired_at: isoTime(row.retired_at),
    retired_by: row.retired_by === null ? null : named(row.retired_by),
    versions: versions.map(({ version, title, author, created_at }) => ({
      version,
      title,
      author: named(author),
      created_at: timestamp(created_at.getTime()),
    })),
  };
}
