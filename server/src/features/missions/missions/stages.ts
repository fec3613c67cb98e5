import { Type } from "typebox";
import type { CallContext, ReadContext } from "../../../kernel/context.ts";
import { exempt, type GateSubject } from "../../../kernel/operation.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { MissionId } from "../schemas.ts";
import { findMission, type MissionRow } from "./store.ts";

export const MissionParams = Type.Object({ mission: MissionId });

/** A key that is narrowed to agents reaches the mission if all its agents are the key's. */
export const loadMission = (
  ctx: ReadContext,
  { mission }: { readonly mission: string },
): Promise<MissionRow | undefined> => findMission(ctx, mission);

export const aboutMission = ({ params }: { params: { readonly mission: string } }): string =>
  `mission:${params.mission}`;

export const startsNothing = exempt("makes no agent act");

/** Each deployed agent of the mission passes its gate now; its tasks pass it again when they begin, and ask people then. */
export const gateOfAgents = (ctx: CallContext, { loaded }: { loaded: Pick<MissionRow, "agents"> }): GateSubject[] =>
  loaded.agents.flatMap((agent) => {
    const live = findKnownAgent(ctx, agent)?.live;
    return live ? [{ agent, versionId: live.id, asksLater: true as const }] : [];
  });
