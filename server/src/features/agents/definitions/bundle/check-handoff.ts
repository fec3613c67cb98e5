import type { BodyFault } from "@aos/json-schema";
import { handOverTool } from "../../../../kernel/handoff.ts";
import type { HandoffDefinition } from "../handoff-schemas.ts";
import { fault, isObject, type Loose } from "./faults.ts";

/** The members of a rule that belong to each kind, and those that it needs. */
const members: Readonly<Record<string, { readonly takes: readonly string[]; readonly needs: readonly string[] }>> = {
  asked: { takes: [], needs: [] },
  unsure: { takes: ["times"], needs: [] },
  topic: { takes: ["keywords"], needs: ["keywords"] },
  sentiment: { takes: [], needs: [] },
  value: { takes: ["field", "above"], needs: ["above"] },
  limits: { takes: [], needs: [] },
};
const special = ["times", "keywords", "field", "above"];

/** What the schema cannot say of the block `handoff`. */
export function handoffFaults({ teams, rules }: Loose<HandoffDefinition>, tools: readonly string[]): BodyFault[] {
  const faults: BodyFault[] = [];
  const named = Array.isArray(teams) ? teams.map((one) => (isObject(one) ? one.team : undefined)) : [];
  for (const [at, team] of named.entries())
    if (team !== undefined && named.indexOf(team) !== at)
      faults.push(fault(`/handoff/teams/${at}/team`, "not_unique", `is listed before: ${String(team)}`));
  if (named.length > 0 && tools.includes(handOverTool))
    faults.push(
      fault(
        "/handoff/teams",
        "name_taken",
        `gives the agent the tool \`${handOverTool}\`, and one of its own tools has that name; rename that one`,
      ),
    );
  for (const [at, one] of (Array.isArray(rules) ? rules : []).entries()) {
    const rule: unknown = one;
    const kind = isObject(rule) && typeof rule.when === "string" ? members[rule.when] : undefined;
    if (!kind || !isObject(rule)) continue;
    const pointer = `/handoff/rules/${at}`;
    for (const name of kind.needs)
      if (rule[name] === undefined)
        faults.push(fault(`${pointer}/${name}`, "required", `is required of a rule for \`${String(rule.when)}\``));
    for (const name of special)
      if (rule[name] !== undefined && !kind.takes.includes(name))
        faults.push(
          fault(
            `${pointer}/${name}`,
            "not_allowed",
            `does not belong to a rule for \`${String(rule.when)}\`; leave it out`,
          ),
        );
  }
  return faults;
}
