import type { Schema } from "../../api/types.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";

export type AgentTool = Schema<"AgentTool">;

const permissions: Readonly<Record<AgentTool["permission"], readonly [word: string, tone: Tone]>> = {
  allowed: ["allowed", "good"],
  denied: ["denied", "bad"],
  held: ["held", "warn"],
  by_arguments: ["depends on the arguments", "info"],
  unused: ["in no skill", "neutral"],
};

/** Whether a call is allowed, and whether people are asked before. */
export function Standing({ permission, approval }: Pick<AgentTool, "permission" | "approval">) {
  const [word, tone] = permissions[permission];
  const asks = { never: null, after_reading: "asks people after reading", always: "asks people" }[approval.mode];
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {asks ? (
        <Badge tone="warn" title={approval.reasons.join(" ")}>
          {asks}
        </Badge>
      ) : null}
    </>
  );
}
