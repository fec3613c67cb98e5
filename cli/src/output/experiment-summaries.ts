import { printable, type Terminal } from "../terminal.ts";
import { amountOf } from "./figure-lines.ts";
import { columns, type Fields, fieldsOf, listOf, tableLines } from "./table.ts";
import { cellOf } from "./text.ts";

// A canary beside the live version, and what can be asked for in a query.

type Lines = (body: Fields, terminal: Terminal) => readonly string[] | null;

function shareOf(figure: unknown): string {
  const { value, low, high } = fieldsOf(figure);
  const interval = typeof low === "number" ? ` (${amountOf("share", low)} to ${amountOf("share", high)})` : "";
  return `${amountOf("share", value)}${interval}`;
}

function armOf(side: string, arm: Fields): Fields {
  return {
    ...arm,
    side: `${side}, version ${cellOf(arm.version)}`,
    accepted: shareOf(arm.accepted),
    succeeded: shareOf(arm.succeeded),
    cost: amountOf("cost_per_task", arm.cost_per_task),
    p90: amountOf("duration_p90", arm.duration_p90),
    trust: amountOf("trust_mean", arm.trust_mean),
  };
}

const experiment: Lines = (body, terminal) => {
  const { canary, stable } = fieldsOf(body.arms);
  if (canary === undefined || !Array.isArray(body.looks)) return null;
  const { promote, tolerance } = fieldsOf(body.rule);
  const ended = body.outcome === null ? "" : `, ${cellOf(body.outcome)}`;
  const head = `${cellOf(body.deployment_id)}: canary of ${cellOf(body.agent)}, ${cellOf(body.state)}${ended}`;
  const rule = `${body.state === "canary" ? "gets" : "got"} ${cellOf(body.share)} % of new tasks; promoted ${cellOf(promote).replace("_", " ")}, tolerance ${cellOf(tolerance)}`;
  const arms = [armOf("canary", fieldsOf(canary)), armOf("live", fieldsOf(stable))];
  const sides =
    "SIDE=side TASKS=tasks OPEN=open JUDGED=judged ACCEPTED=accepted DID_NOT_FAIL=succeeded TRUST=trust COST_PER_TASK=cost P90=p90";
  const looks = listOf(body.looks);
  const said = [body.reason, fieldsOf(body.outlook).text, ...(Array.isArray(body.notes) ? body.notes : [])];
  return [
    printable(`${head}; ${rule}`),
    ...tableLines(arms, columns(sides), terminal),
    ...(looks.length === 0
      ? []
      : ["", ...tableLines(looks, columns("LOOK=look AT=at JUDGED=judged VERDICT=verdict WHY=text*"), terminal)]),
    "",
    ...said.filter((text) => typeof text === "string").map(printable),
  ];
};

const schema: Lines = ({ measures, dimensions, labels, grains }, terminal) => {
  if (!Array.isArray(measures) || !Array.isArray(dimensions)) return null;
  const listed = listOf(measures).map(({ interval, ...measure }) => ({
    ...measure,
    interval: interval === true ? "yes" : "",
  }));
  const titles = "MEASURE=name FAMILY=family UNIT=unit BETTER=better 95_%=interval ABOUT=about*";
  return [
    ...tableLines(listed, columns(titles), terminal),
    "",
    ...tableLines(listOf(dimensions), columns("DIMENSION=name OF_MEASURES_OF=families VALUES=values*"), terminal),
    "",
    printable(`declared labels: ${cellOf(labels)}; grains: ${cellOf(grains)}`),
  ];
};

export const experimentSummaries: Readonly<Record<string, Lines>> = {
  "analytics.readExperiment": experiment,
  "analytics.readSchema": schema,
};
