import { setTimeout as after } from "node:timers/promises";
import { warningsIn } from "../findings-text.ts";
import { problemOf } from "../problems.ts";
import { now } from "../terminal.ts";
import { type Promotion, Refused } from "./promotion.ts";

/** A verdict holds in every process within a second; until then a deployment may still be refused for want of it (milliseconds). */
const settling = 5_000;

/** Deploys the version in the target. Answers whether it is live there; a refusal throws. */
export async function deploy({ agent, version, note, source, target, dryRun, report }: Promotion): Promise<boolean> {
  const { environment, service } = target;
  if (dryRun) {
    report.add("deploy", "would", `Deploy version ${version} of ${agent} in ${environment}.`);
    return false;
  }
  const json = { version, note: note ?? `Promoted from ${source.environment}.` };
  for (const began = now(); ; await after(settling / 10)) {
    const reply = await service.call("POST", `/v1/agents/${agent}/deployments`, { json });
    const problem = problemOf(reply);
    if (problem?.code === "already_live") {
      report.add("deploy", "already", `Version ${version} is live in ${environment}.`);
      return true;
    }
    if (problem?.code === "evaluation_gate_failed" && now() - began < settling) continue;
    if (problem !== null) throw new Refused(problem, service);
    const warnings = warningsIn(reply.body).map(({ detail }) => ` Warning: ${detail}`);
    report.add("deploy", "done", `Version ${version} of ${agent} is live in ${environment}.${warnings.join("")}`);
    return true;
  }
}
