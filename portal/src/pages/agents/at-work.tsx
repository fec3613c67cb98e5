import type { ReactNode } from "react";
import { readVersion } from "../../api/agents.ts";
import { useLive } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { canonicalJson } from "../../lib/digest.ts";
import { ErrorState, Notice, Skeleton } from "../../ui/states.tsx";

type Agent = Schema<"Agent">;
type Definition = Agent["definition"];

interface Parts {
  readonly agent: Agent;
  readonly children: (definition: Definition) => ReactNode;
}

/** What the version that works here says; of an agent that is not deployed, its draft, which is what there is of it. */
export function AtWork({ agent, children }: Parts) {
  const { deployment } = agent;
  if (deployment === null) return children(agent.definition);
  return (
    <OfVersion agent={agent} version={deployment.version}>
      {children}
    </OfVersion>
  );
}

function OfVersion({ agent, version, children }: Parts & { readonly version: number }) {
  const { data, error } = useLive(readVersion(agent.agent, version));
  if (data !== undefined) return children(data.definition);
  return error ? <ErrorState error={error} /> : <Skeleton lines={5} />;
}

/** Of what works here: that the draft is another by now, where it is. */
export function DraftDiffers({ agent, definition }: { readonly agent: Agent; readonly definition: Definition }) {
  if (agent.deployment === null || canonicalJson(agent.definition) === canonicalJson(definition)) return null;
  return (
    <Notice>
      The draft differs from version {agent.deployment.version}, which is live here and shown on this page. It takes
      effect once it is frozen as a version and deployed.
    </Notice>
  );
}
