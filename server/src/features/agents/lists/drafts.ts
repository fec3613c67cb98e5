import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { archiveAgent } from "../operations/archive-agent.ts";
import { changeDraft } from "../operations/change-draft.ts";
import { compareDraft } from "../operations/compare-draft.ts";
import { createAgent } from "../operations/create-agent.ts";
import { freezeVersion } from "../operations/freeze-version.ts";
import { listVersions } from "../operations/list-versions.ts";
import { readVersion } from "../operations/read-version.ts";

// Drafts and versions of agents, and what machines do for them.

export const operations: readonly Operation[] = [
  createAgent,
  changeDraft,
  archiveAgent,
  compareDraft,
  listVersions,
  freezeVersion,
  readVersion,
];
export const facts: readonly FactSet<unknown>[] = [];
export const sweeps: readonly Sweep[] = [];
