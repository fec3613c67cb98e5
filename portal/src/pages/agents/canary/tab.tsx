import { useState } from "react";
import { listDeployments } from "../../../api/agents.ts";
import { usePrefetched } from "../../../api/queries.ts";
import { useMay } from "../../../api/rights.ts";
import type { Schema } from "../../../api/types.ts";
import { exactly } from "../../../lib/time.ts";
import { counted, percent } from "../../../lib/words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card, Facts } from "../../../ui/card.tsx";
import { EmptyState } from "../../../ui/states.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { Stopped } from "../../accountability/public.tsx";
import { deployed } from "../touched.ts";
import { CanaryActions } from "./actions.tsx";
import { ExperimentView } from "./experiment.tsx";
import { ShadowCard, ShadowFigures } from "./shadow.tsx";
import { Shares } from "./shares.tsx";

type Deployment = Schema<"Deployment">;

/** The canary and the shadow that run beside the live version, and those that ended. */
export function Canary({ agent }: { readonly agent: Schema<"Agent"> }) {
  const { data } = usePrefetched(listDeployments(agent.agent), { every: 5_000 });
  const mayDeploy = useMay("agents:deploy");
  const mayCompare = useMay("analytics:read");
  const live = data.data.find(({ state }) => state === "live");
  const canary = data.data.find(({ state }) => state === "canary");
  const shadow = data.data.find(({ state }) => state === "shadow");
  const ended = data.data.filter(({ mode, outcome }) => mode !== "whole" && outcome !== null);
  return (
    <div className="grid gap-4">
      {live && canary ? (
        <>
          <Card
            title={`Version ${canary.version} beside version ${live.version}`}
            aside={
              <span className="text-sm text-muted">
                since <RelativeTime time={canary.created_at} />
              </span>
            }
          >
            <div className="grid gap-4">
              <Shares live={live} canary={canary} />
              <Rule canary={canary} />
              <Stopped object={`canary:${canary.deployment_id}`} reason={canary.stopped_reason} stale={deployed} />
              {mayDeploy ? <CanaryActions canary={canary} /> : null}
            </div>
          </Card>
          {mayCompare ? <ExperimentView deployment={canary.deployment_id} every={10_000} /> : null}
        </>
      ) : shadow ? null : (
        <EmptyState title="No canary runs" command={`bin/aos agents deploy ${agent.agent} --version 2 --canary 10`}>
          A canary takes a share of new tasks beside the live version. Both are compared by judged outcomes: a worse one
          is aborted by itself, one that is no worse is promoted. A shadow carries out the live version's tasks too,
          with its writes withheld. Start one from a version, with Deploy on the tab Versions, or:
        </EmptyState>
      )}
      {shadow ? <ShadowCard shadow={shadow} live={live} /> : null}
      {ended.length === 0 ? null : <Ended deployments={ended} mayCompare={mayCompare} />}
    </div>
  );
}

function Rule({ canary: { rule, note } }: { readonly canary: Deployment }) {
  if (rule === null) return null;
  const limit = { hold: "it goes on until a person decides", promote: "it is promoted", abort: "it is aborted" };
  return (
    <Facts
      facts={[
        note !== "" && ["Why", note],
        [
          "Promoted",
          rule.promote === "by_hand"
            ? "by a person"
            : `by the service where it is worse by less than ${percent(rule.tolerance)}${
                rule.least_hours > 0 ? `, after ${counted(rule.least_hours, "hour")} at the earliest` : ""
              }`,
        ],
        ["Aborted", "by the service where it is worse"],
        ["At the limit", `after ${counted(rule.most_judged, "judged task")} ${limit[rule.on_limit]}`],
      ]}
    />
  );
}

const tones = { promoted: "good", aborted: "bad", ended: "neutral" } as const;

interface EndedProps {
  readonly deployments: readonly Deployment[];
  readonly mayCompare: boolean;
}

function Ended({ deployments, mayCompare }: EndedProps) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Card title="Earlier canaries and shadows" flush>
      <ul className="divide-y divide-line">
        {deployments.map(({ deployment_id, version, mode, outcome, reason, ended_at }) => (
          <li key={deployment_id} className="grid gap-1 px-4 py-3.5 text-sm sm:px-5">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium">
                Version {version}, {mode}
              </span>
              {outcome === null ? null : <Badge tone={tones[outcome]}>{outcome}</Badge>}
              {ended_at === null ? null : (
                <time dateTime={ended_at} className="ml-auto text-muted">
                  {exactly(ended_at)}
                </time>
              )}
            </p>
            <p className="text-muted">{reason}</p>
            {mode === "shadow" || mayCompare ? (
              <Button
                size="small"
                className="justify-self-start"
                aria-expanded={open === deployment_id}
                onClick={() => setOpen(open === deployment_id ? null : deployment_id)}
              >
                What was compared
              </Button>
            ) : null}
            {open === deployment_id ? (
              <div className="pt-2">
                {mode === "shadow" ? (
                  <ShadowFigures deployment={deployment_id} every={false} />
                ) : (
                  <ExperimentView deployment={deployment_id} every={false} />
                )}
              </div>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
