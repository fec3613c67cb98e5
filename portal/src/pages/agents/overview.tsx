import { Link } from "@tanstack/react-router";
import { listDeployments, listVersions, readTrust } from "../../api/agents.ts";
import { useLive, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { exactly } from "../../lib/time.ts";
import { counted, usd } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { JsonView } from "../../ui/code.tsx";
import { EmptyState, Skeleton } from "../../ui/states.tsx";
import { TrustMeter } from "../../ui/trust.tsx";
import { AtWork, DraftDiffers } from "./at-work.tsx";
import { Gate } from "./gate.tsx";
import { Dependents, Health } from "./health.tsx";
import { Manage } from "./manage.tsx";

type Agent = Schema<"Agent">;
type Definition = Agent["definition"];
type Skill = Definition["skills"][number];

/** What is at work here, what the gate says of it, and what it can be asked for. */
export function Overview({ agent }: { readonly agent: Agent }) {
  const { data: deployments } = usePrefetched(listDeployments(agent.agent), { every: 10_000 });
  const { data: versions } = usePrefetched(listVersions(agent.agent), { every: 10_000 });
  const live = deployments.data.find(({ state }) => state === "live");
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 gap-4">
        <AtWork agent={agent}>{(definition) => <Says agent={agent} definition={definition} />}</AtWork>
        <Dependents agent={agent.agent} />
        <Manage agent={agent} />
      </div>
      <div className="grid min-w-0 gap-4">
        {versions.data.length > 0 ? <TrustNow agent={agent.agent} /> : null}
        <Card title="Live here">
          {live ? (
            <Live live={live} />
          ) : (
            <EmptyState title="Nothing is deployed">Freeze a version and deploy it to accept tasks.</EmptyState>
          )}
        </Card>
        <Health agent={agent.agent} />
        <Gate agent={agent.agent} />
      </div>
    </div>
  );
}

function TrustNow({ agent }: { readonly agent: string }) {
  const { data: trust } = useLive(readTrust(agent), { every: 15_000 });
  return <Card title="Trust">{trust ? <TrustMeter {...trust} large /> : <Skeleton lines={3} />}</Card>;
}

/** What it can be asked for, and by what it works. */
function Says({ agent, definition }: { readonly agent: Agent; readonly definition: Definition }) {
  const { skills, tools } = definition;
  return (
    <>
      <DraftDiffers agent={agent} definition={definition} />
      <Card title="Skills" flush>
        <ul className="divide-y divide-line">
          {skills.map((skill) => (
            <SkillRow key={skill.name} skill={skill} />
          ))}
        </ul>
      </Card>
      <Card title="Tools and knowledge">
        <Facts
          facts={[
            ["Model", modelText(definition)],
            ["Tools", tools?.map(({ name, kind, effect }) => `${name} (${kind}, ${effect})`).join(", ") || "none"],
            ["Knowledge", <Bases key="knowledge" names={basesOf(definition)} />],
            agent.labels.length > 0 && ["Labels", agent.labels.join(", ")],
          ]}
        />
      </Card>
    </>
  );
}

/** The bases that it searches by itself, and those of its tools. */
const basesOf = ({ knowledge = [], tools = [] }: Definition): readonly string[] => [
  ...new Set([...knowledge, ...tools.flatMap((tool) => ("base" in tool && tool.base ? [tool.base] : []))]),
];

function Bases({ names }: { readonly names: readonly string[] }) {
  const may = useMay("knowledge:read");
  if (names.length === 0) return "none";
  if (!may) return names.join(", ");
  return (
    <span className="flex flex-wrap gap-x-3">
      {names.map((base) => (
        <Link
          key={base}
          to="/knowledge/bases/$base"
          params={{ base }}
          className="underline underline-offset-2 hover:no-underline"
        >
          {base}
        </Link>
      ))}
    </span>
  );
}

const modelText = ({ model }: Definition): string =>
  "name" in model && model.name ? `${model.provider}, ${model.name}` : model.provider;

function SkillRow({ skill }: { readonly skill: Skill }) {
  const { impact, limits } = skill;
  const bounds = [
    limits?.steps ? counted(limits.steps, "step") : "",
    limits?.seconds ? `${limits.seconds} s` : "",
    limits?.tokens ? counted(limits.tokens, "token") : "",
    limits?.cost_usd ? usd(limits.cost_usd) : "",
  ].filter((each) => each !== "");
  return (
    <li className="grid gap-2 px-4 py-4 text-sm sm:px-5">
      <p className="flex flex-wrap items-center gap-2">
        <code className="id font-semibold">{skill.name}</code>
        {impact?.data && impact.data !== "public" ? <Badge tone="info">{impact.data} data</Badge> : null}
        {impact?.external ? <Badge tone="warn">reaches outside</Badge> : null}
        {impact?.reversible === false ? <Badge tone="warn">cannot be taken back</Badge> : null}
        {impact?.money ? <Badge tone="warn">{usd(impact.money)} at stake</Badge> : null}
      </p>
      {skill.description ? <p className="text-muted">{skill.description}</p> : null}
      {bounds.length > 0 ? <p className="text-muted">At most {bounds.join(", ")}.</p> : null}
      <JsonView value={{ input: skill.input, output: skill.output }} label="Input and output" />
    </li>
  );
}

function Live({ live }: { readonly live: Schema<"Deployment"> }) {
  return (
    <Facts
      facts={[
        ["Version", live.version],
        ["Since", exactly(live.created_at)],
        live.note !== "" && ["Why", live.note],
        live.health !== null && ["Open", counted(live.health.open_tasks, "task")],
        live.health !== null && [
          "In 24 hours",
          `${live.health.completed_24h} completed, ${live.health.failed_24h} failed`,
        ],
      ]}
    />
  );
}
