import { printable, type Terminal } from "../terminal.ts";
import { columns, type Fields, fieldsOf, intervalOf, listOf, rounded, tableLines } from "./table.ts";
import { counted } from "./text.ts";

// What a version in shadow would have done, and the texts of scheduled reports.

export function shadow(body: Fields, terminal: Terminal): readonly string[] | null {
  const { deployment_id, agent, version, state, reason, compared, same, differences, skipped } = body;
  if (!Array.isArray(differences) || !Array.isArray(skipped)) return null;
  const { share, low, high } = fieldsOf(same);
  const { used_tasks, tasks, used_usd, cost_usd } = fieldsOf(body.budget);
  const [cost, seconds, failed] = [fieldsOf(body.cost_usd), fieldsOf(body.mean_seconds), fieldsOf(body.failed)];
  const sides = [
    { side: "live", cost: cost.live, seconds: rounded(seconds.live), failed: failed.live },
    { side: "shadow", cost: cost.shadow, seconds: rounded(seconds.shadow), failed: failed.shadow },
  ];
  const told =
    share === null
      ? "nothing compared yet"
      : `the same in ${rounded(share)} (${intervalOf(low, high)}) of ${counted(Number(compared), "task")}`;
  return [
    printable(`${deployment_id}: version ${version} of ${agent}, ${state}; ${told}`),
    printable(`Used ${used_tasks} of ${tasks} tasks, $${rounded(used_usd, 4)} of $${cost_usd}.`),
    ...(Number(body.up_to_a_write) > 0
      ? [
          printable(
            `${counted(Number(body.up_to_a_write), "task")} compared only up to the first write, which was withheld.`,
          ),
        ]
      : []),
    ...(typeof reason === "string" ? [printable(reason)] : []),
    ...tableLines(sides, columns("VERSION=side COST_USD=cost MEAN_SECONDS=seconds FAILED=failed"), terminal),
    ...(differences.length === 0
      ? []
      : ["", ...tableLines(listOf(differences), columns("DIFFERS_AT=pointer TASKS=runs"), terminal)]),
    ...(skipped.length === 0
      ? []
      : ["", ...tableLines(listOf(skipped), columns("SKIPPED_BECAUSE=reason TASKS=runs"), terminal)]),
  ];
}

/** The text of a report as it is, so that it can be piped into a file. */
export function issue({ text }: Fields): readonly string[] | null {
  return typeof text === "string" ? text.split("\n").map(printable) : null;
}
