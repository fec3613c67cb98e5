import { listDeciders } from "../../api/approvals.ts";
import { useLive } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { visible } from "../../lib/words.ts";

type Stage = Schema<"RequiredStage">;

/** Names of members by id, as far as they may decide here; the id of any other. */
export function useNames(ids: readonly string[]): (id: string) => string {
  const { data } = useLive(listDeciders(), { when: ids.length > 0 });
  return (id) => data?.data.find((one) => one.id === id)?.name ?? id;
}

/** Whom a stage asks, in words: `one of the team finance, or an admin`. */
export function stageText({ quorum, roles, teams, members }: Stage, nameOf: (id: string) => string): string {
  const groups = [
    ...teams.map((team) => `the team ${team}`),
    ...roles.map((role) => `the ${role}s`),
    ...members.map(nameOf),
  ];
  const many = quorum === 1 ? "one" : String(quorum);
  if (groups.length === 0) return quorum === 1 ? "anybody who may decide" : `${many} persons who may decide`;
  if (groups.length === 1 && members.length === 1) return nameOf(members[0] as string);
  return `${many} of ${groups.join(", ")}`;
}

/** Stages, one after another. */
export function StagesText({ stages }: { readonly stages: readonly Stage[] }) {
  const nameOf = useNames(stages.flatMap(({ members }) => members));
  return <>{stages.map((stage) => stageText(stage, nameOf)).join(", then ")}</>;
}

/** A policy or rule that asks for an approval, and whom. */
export function RequiredBy({ requirement }: { readonly requirement: Schema<"ApprovalRequirement"> }) {
  const { kind, name, version, stages } = requirement;
  return (
    <>
      <span className="text-muted">{kind === "rule" ? "Rule" : "Policy"}</span> {visible(name)}
      {version === null ? null : <span className="text-muted">, version {version}</span>}
      {stages.length === 0 ? null : (
        <span className="block text-muted">
          <StagesText stages={stages} />
        </span>
      )}
    </>
  );
}
