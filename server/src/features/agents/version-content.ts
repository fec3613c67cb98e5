import type { ConfirmableKind } from "../admin/public.ts";
import { contentOfVersion } from "./deciders.ts";
import { agentFacts } from "./facts.ts";
import { findVersionRecord } from "./version-store.ts";

const named = /^([^@]+)@([1-9][0-9]{0,8})$/;

/** A version of an agent, by `<agent>@<number>`. */
export const confirmableVersion: ConfirmableKind = {
  kind: "agent",
  permission: "agents:read",
  async find(ctx, name) {
    const [, agent, number] = named.exec(name) ?? [];
    const version = agent && number && (await findVersionRecord(ctx, agent, Number(number)));
    if (!version) return undefined;
    const path = `/v1/agents/${agent}/versions/${number}`;
    return { ...(await contentOfVersion(ctx, version)), agents: [version.agent], path };
  },
  confirmed: (ctx) => ctx.touch(agentFacts),
};
