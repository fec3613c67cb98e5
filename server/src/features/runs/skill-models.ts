import type { Reader } from "../../kernel/db.ts";
import type { Scope } from "../../kernel/principal.ts";
import { findSkillModel, findSkillModelDigest } from "../agents/public.ts";

/** What versions' skills have learnt, as the runtime asks for it; null: nothing. */
export const skillModels = (db: Reader) => ({
  modelDigest: async (scope: Scope, versionId: string, skill: string) =>
    (await findSkillModelDigest({ scope, db }, versionId, skill)) ?? null,
  skillModel: async (scope: Scope, versionId: string, skill: string) =>
    (await findSkillModel({ scope, db }, versionId, skill)) ?? null,
});
