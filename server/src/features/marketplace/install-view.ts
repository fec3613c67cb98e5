import { isoTime } from "../../kernel/clock.ts";
import { driftOf, partDrift, placed } from "./drift.ts";
import { readKnown } from "./install-briefs.ts";
import type { Install, InstallPart, InstallSummary } from "./install-schemas.ts";
import { consentOf, type InstallRow, partsOf, type StoredPart } from "./install-store.ts";
import type { Looking } from "./names.ts";
import { readNextSteps } from "./next-steps.ts";
import { knownContents } from "./read-contents.ts";
import { readStandings, type Standings } from "./standing-store.ts";
import { findVersion, type VersionRow } from "./version-store.ts";

/** Installs as lists show them, with a fixed number of statements, however many they are. */
export async function installSummaries(ctx: Looking, rows: readonly InstallRow[]): Promise<InstallSummary[]> {
  const known = await readKnown(ctx, rows);
  const standings = await readStandings(
    ctx,
    rows.flatMap((row) => placed(partsOf(row), row.agent)),
  );
  return rows.map((row) => ({
    ...{ install_id: row.id, listing_id: row.listing_id, version: row.version, digest: row.digest },
    ...{ suffix: row.suffix, state: row.state, installed_by: row.installed_by },
    ...{ created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) },
    ...(known.get(row.id) as NonNullable<ReturnType<typeof known.get>>),
    drift: row.state === "removed" ? "none" : driftOf(partViews(ctx.appUrl, row, standings)),
  }));
}

/** An install as it is read, with its parts and what is left to do. */
export async function installView(ctx: Looking, row: InstallRow): Promise<Install> {
  const version = (await findVersion(ctx, row.listing_id, row.version)) as VersionRow;
  const [summary] = (await installSummaries(ctx, [row])) as [InstallSummary];
  const standings = await readStandings(ctx, placed(partsOf(row), row.agent));
  const { permissions_digest: _digest, ...consent } = consentOf(row);
  const goesOn = row.state !== "removed" && row.state !== "installing";
  const contents = goesOn ? await knownContents(ctx, version) : null;
  return {
    ...summary,
    agent: row.agent,
    parts: partViews(ctx.appUrl, row, standings),
    consent,
    next_steps: contents ? await readNextSteps(ctx, row, contents) : [],
    readme: version.readme,
    revision: row.revision,
  };
}

function partViews(appUrl: string, row: InstallRow, standings: Standings): InstallPart[] {
  return placed(partsOf(row), row.agent).map((part) => {
    const { kind, name, id, file, state, problem, audit_ref } = part;
    const link = linkOf(part, row.agent);
    return {
      ...{ kind, name, id, file, state, problem, audit_ref },
      ...{ drift: partDrift(part, standings), link: link && `${appUrl}${link}` },
    };
  });
}

const agentTabs = { agent: "overview", agent_version: "versions", tool: "tools", gate: "versions" } as const;

/** The room of the portal in which a part is looked at. Datasets and scorers have none. */
function linkOf({ kind, name, id }: StoredPart, agent: string | null): string | null {
  if (kind === "knowledge_base" || kind === "documents") return `/knowledge/bases/${name}`;
  if (kind === "policy") return id && `/policies/${id}`;
  if (kind === "workflow") return `/workflows/${name}`;
  const tab = agentTabs[kind as keyof typeof agentTabs];
  return tab && agent ? `/agents/${agent}?tab=${tab}` : null;
}
