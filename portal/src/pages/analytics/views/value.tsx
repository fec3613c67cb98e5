import { readValue } from "../../../api/analytics.ts";
import type { Answer } from "../../../api/client.ts";
import { usePrefetched } from "../../../api/queries.ts";
import { csvOf, saveText } from "../../../lib/csv.ts";
import { counted, duration, usd } from "../../../lib/words.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, Facts } from "../../../ui/card.tsx";
import { CodeBlock } from "../../../ui/code.tsx";
import { EmptyState } from "../../../ui/states.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Behind } from "../behind.tsx";
import { HeadLine } from "../frame.tsx";
import type { ViewProps } from "../view.ts";
import { valueText } from "../words.ts";

type Value = Answer<"/v1/analytics/value">;
type Row = Value["rows"][number];

const saved = (minutes: number): string => duration(minutes * 60_000);
const money = (amount: number): string => valueText(amount, "usd");

/** Declared worth of accepted tasks against the cost of all. */
export function ValueView({ search }: ViewProps) {
  const { data } = usePrefetched(readValue(search), { every: 30_000 });
  const { declared, undeclared } = data;
  const nothing = data.rows.every((row) => row.declared === null);
  return (
    <>
      <HeadLine head={data} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Card title="Where worth is declared">
          {nothing ? (
            <Undeclared />
          ) : (
            <>
              <p className="text-3xl font-semibold tracking-tight">{money(declared.net_usd)}</p>
              <p className="mb-3 text-sm text-muted">value less cost</p>
              <Facts
                facts={[
                  ["Time saved", saved(declared.minutes_saved)],
                  ["Value", usd(declared.value_usd)],
                  ["Cost", usd(declared.cost_usd)],
                  declared.return_on_cost !== null && ["Value by cost", `${declared.return_on_cost.toFixed(1)} ×`],
                  ["Accepted", counted(Math.round(declared.accepted), "task")],
                ]}
              />
            </>
          )}
        </Card>
        <Card title="Where it is not">
          <Facts
            facts={[
              ["Tasks", counted(undeclared.tasks, "task")],
              ["Accepted", counted(Math.round(undeclared.accepted), "task")],
              ["Cost", usd(undeclared.cost_usd)],
            ]}
          />
          <p className="mt-3 text-sm text-muted">
            Nothing is said of their value: nobody declared what they are worth.
          </p>
        </Card>
      </div>
      <Card
        title="By agent and skill"
        flush
        aside={
          <Button size="small" kind="quiet" onClick={() => download(data.rows)}>
            CSV
          </Button>
        }
      >
        {data.rows.length === 0 ? (
          <p className="px-5 py-6 text-sm text-muted">Nothing in this window.</p>
        ) : (
          <Table
            label="Value by agent and skill"
            columns={columns}
            rows={data.rows}
            rowKey={({ agent, skill }) => `${agent} ${skill}`}
          />
        )}
      </Card>
      <p className="text-sm text-muted">{data.explanation}</p>
    </>
  );
}

function Undeclared() {
  const worth = '[{"agent": "sales", "skill": "qualify_lead", "minutes": 6, "usd_per_hour": 40}]';
  const example = `bin/aos admin settings update --settings '{"analytics": {"value": ${worth}}}'`;
  return (
    <EmptyState title="No worth is declared here">
      <p>Say in the settings of the environment what an accepted task of a skill saves:</p>
      <CodeBlock code={example} label="Command" className="mt-3 text-left" />
    </EmptyState>
  );
}

const or = (value: number | null, text: (value: number) => string) =>
  value === null ? <span className="text-muted">not declared</span> : text(value);

const columns: readonly Column<Row>[] = [
  {
    name: "Agent, skill",
    cell: ({ agent, skill }) => (
      <span>
        <span className="font-medium">{agent ?? "none"}</span> · {skill ?? "none"}
      </span>
    ),
  },
  {
    name: "Tasks",
    right: true,
    cell: ({ tasks, link }) => <Behind link={link}>{tasks.toLocaleString("en")}</Behind>,
  },
  {
    name: "Accepted",
    right: true,
    cell: ({ accepted, judged }) => `${accepted.toLocaleString("en")} of ${judged.toLocaleString("en")} judged`,
  },
  { name: "Time saved", right: true, cell: ({ minutes_saved }) => or(minutes_saved, saved) },
  { name: "Value", right: true, cell: ({ value_usd }) => or(value_usd, money) },
  { name: "Cost", right: true, cell: ({ cost_usd }) => usd(cost_usd) },
  { name: "Value less cost", right: true, cell: ({ net_usd }) => or(net_usd, money) },
];

function download(rows: readonly Row[]): void {
  const members = [
    "agent",
    "skill",
    "tasks",
    "judged",
    "accepted",
    "minutes_saved",
    "value_usd",
    "cost_usd",
    "net_usd",
  ] as const;
  saveText("value.csv", csvOf([members, ...rows.map((row) => members.map((member) => row[member]))]));
}
