import type { TrainingExample } from "./contract.ts";
import { randomOf } from "./random.ts";

/** The answers of the made-up leads. */
export const leadSchema = {
  type: "object",
  required: ["team"],
  properties: {
    qualified: { type: "boolean" },
    team: { type: "string", enum: ["self_service", "midmarket", "enterprise"] },
    deal: { type: "object", properties: { value: { type: "integer", minimum: 0 } } },
  },
} as const;

/**
 * Leads by a rule that can be learnt: whoever asks for a demonstration is qualified, the number of employees decides the team and the deal's value. One in
 * twenty is answered against the rule.
 */
export function leads(count: number, seed: number): TrainingExample[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, (_, at) => {
    const wants = random() < 0.5;
    const employees = Math.floor(3 ** (random() * 9));
    const qualified = random() < 0.05 ? !wants : wants;
    const team = employees < 50 ? "self_service" : employees < 1_000 ? "midmarket" : "enterprise";
    const message = wants
      ? "We would like to see a demonstration of the product soon"
      : "Please remove me from the newsletter list";
    return {
      input: { lead_id: `ld_${at}` },
      records: {
        get_lead: {
          message: `${message}, regards from office ${at}`,
          employees: String(employees),
          country: at % 3 ? "AT" : "PT",
        },
      },
      output: { qualified, team, deal: { value: Math.round(Math.log(employees + 1) * 1_000) } },
    };
  });
}
