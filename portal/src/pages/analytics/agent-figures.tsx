import { getRouteApi, Link } from "@tanstack/react-router";
import { readAgentFigures } from "../../api/analytics.ts";
import type { Answer } from "../../api/client.ts";
import { usePrefetched } from "../../api/queries.ts";
import { counted } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { BreakdownCard } from "./breakdown.tsx";
import { Figures } from "./figure.tsx";
import { Frame, HeadLine, windowOnly } from "./frame.tsx";
import { Trend } from "./trend.tsx";

type OfAgent = Answer<"/v1/analytics/agents/{agent}">;

const route = getRouteApi("/shell/analytics/agents/$agent");

/** One agent: outcome, cost, quality and edits, by version and skill, and where it fails. */
export function AgentFiguresPage() {
  const { agent } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(readAgentFigures(agent, search), { every: 30_000 });
  return (
    <Frame
      title={agent}
      lead={
        <>
          Figures of one agent.{" "}
          <Link to="/agents/$agent" params={{ agent }} className="text-accent underline underline-offset-2">
            The agent's page
          </Link>
        </>
      }
      view={null}
      window={search}
      onWindow={(window) => void navigate({ search: windowOnly(window) })}
    >
      <HeadLine head={data} />
      <Figures figures={data.figures} series={data.series} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Trend
          title="Quality"
          head={data}
          points={data.series}
          range={[0, 1]}
          lines={["success_rate", "accepted_rate", "trust_mean"]}
        />
        <Trend title="Cost" as="bars" head={data} points={data.series} lines={["cost_usd"]} />
      </div>
      <Versions versions={data.versions} />
      <BreakdownCard
        title="Skills"
        lead="Those with most failed tasks first."
        rows={data.skills}
        measures={[
          "tasks",
          "failed",
          "success_rate",
          "accepted_rate",
          "trust_mean",
          "cost_per_accepted",
          "duration_p90",
        ]}
      />
      <Failures failures={data.failures} />
    </Frame>
  );
}

function Versions({ versions }: Pick<OfAgent, "versions">) {
  const live = versions.find((one) => one.live)?.version_id;
  const numbers = new Map(versions.map(({ version_id, version }) => [version_id, version]));
  return (
    <BreakdownCard
      title="Versions"
      rows={versions.map(({ version_id, figures }) => ({ key: { version: version_id }, figures }))}
      measures={[
        "tasks",
        "success_rate",
        "accepted_rate",
        "trust_mean",
        "cost_per_task",
        "cost_per_accepted",
        "edit_rate",
      ]}
      keyCell={(_dimension, id) => (
        <span className="flex flex-wrap items-center gap-2">
          {numbers.get(id) == null ? "others" : `Version ${numbers.get(id)}`}
          {id === live ? <Badge tone="good">live</Badge> : null}
        </span>
      )}
    />
  );
}

function Failures({ failures: { tasks, more, codes } }: Pick<OfAgent, "failures">) {
  if (tasks === 0) return null;
  return (
    <Card title="What failed tasks failed with">
      <ul className="grid gap-2 text-sm">
        {codes.map(({ code, tasks, latest }) => (
          <li key={code} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <code className="id">{code}</code>
            <span>
              {counted(tasks, "task")},{" "}
              <Link to="/tasks/$task" params={{ task: latest }} className="underline underline-offset-2">
                the newest
              </Link>
            </span>
          </li>
        ))}
      </ul>
      {more ? (
        <p className="mt-3 text-xs text-muted">Of the newest {tasks.toLocaleString("en")} failed tasks.</p>
      ) : null}
    </Card>
  );
}
