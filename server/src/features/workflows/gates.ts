import type { CallContext } from "../../kernel/context.ts";
import type { GateSubject } from "../../kernel/operation.ts";
import { findKnownAgent } from "../agents/public.ts";

/** Whose gates count where a workflow is to act by these agents: their versions that are live here. One that is not deployed cannot act; findings and steps say so. */
export const gateSubjects = (ctx: CallContext, agents: readonly string[]): GateSubject[] =>
  agents.flatMap((agent) => {
    const live = findKnownAgent(ctx, agent)?.live;
    return live ? [{ agent, versionId: live.id }] : [];
  });
