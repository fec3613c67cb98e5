import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { tellOfExpiringKeys } from "../expiry-sweep.ts";
import { changeSettings } from "../operations/change-settings.ts";
import { listMembers } from "../operations/list-members.ts";
import { readMember } from "../operations/read-member.ts";
import { readSettings } from "../operations/read-settings.ts";
import { setMember } from "../operations/set-member.ts";
import { tellOfExpiry } from "../operations/tell-of-expiry.ts";
import { settingsFacts } from "../settings-facts.ts";

// Members and settings.

export const operations: readonly Operation[] = [
  listMembers,
  setMember,
  readSettings,
  changeSettings,
  tellOfExpiry,
  readMember,
];
export const facts: readonly FactSet<unknown>[] = [settingsFacts];
export const sweeps: readonly Sweep[] = [tellOfExpiringKeys];
