/**
 * Plants faults in a copy of the last commit, one at a time, and tells whether the tests catch them. The exit code is 1 where one survives or no longer fits
 * the source.
 *
 *     npm run faults                          all of them, about an hour
 *     npm run faults -- --only policy-        those whose name contains that; can be repeated
 *     npm run faults -- --list                their names, without running them
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { accountableFaults } from "./accountable.ts";
import { agentFaults } from "./agents.ts";
import { bundleFaults } from "./bundles.ts";
import { callFaults } from "./call.ts";
import { channelFaults } from "./chat-channels.ts";
import { chatTokenFaults } from "./chat-tokens.ts";
import { chatTurnFaults } from "./chat-turns.ts";
import { connectorFaults } from "./connectors.ts";
import { Copy } from "./copy.ts";
import { documentFaults } from "./documents.ts";
import { type Fault, misfit } from "./fault.ts";
import { figureFaults } from "./figures.ts";
import { governanceFaults } from "./governance.ts";
import { ingestFaults } from "./ingest.ts";
import { installFaults } from "./installs.ts";
import { catalogueFaults } from "./marketplace-catalogue.ts";
import { missionFaults } from "./missions.ts";
import { outsideFaults } from "./outside.ts";
import { qualityFaults } from "./quality.ts";
import { searchFaults } from "./search.ts";
import { stepFaults } from "./steps.ts";
import { triggerFaults } from "./triggers.ts";
import { workFaults } from "./work.ts";
import { workflowCoreFaults } from "./workflow-core.ts";
import { workflowDefinitionFaults } from "./workflow-definitions.ts";
import { workflowRunFaults } from "./workflow-runs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({ options: { only: { type: "string", multiple: true }, list: { type: "boolean" } } });
const { only = [""], list = false } = values;
const all = [
  ...accountableFaults,
  ...callFaults,
  ...documentFaults,
  ...governanceFaults,
  ...workFaults,
  ...workflowRunFaults,
  ...outsideFaults,
  ...connectorFaults,
  ...searchFaults,
  ...ingestFaults,
  ...missionFaults,
  ...catalogueFaults,
  ...qualityFaults,
  ...figureFaults,
  ...channelFaults,
  ...chatTokenFaults,
  ...workflowDefinitionFaults,
  ...workflowCoreFaults,
  ...stepFaults,
  ...triggerFaults,
  ...chatTurnFaults,
  ...agentFaults,
  ...bundleFaults,
  ...installFaults,
];
const chosen = all.filter(({ name }) => only.some((part) => name.includes(part)));

const misfits = chosen.flatMap((fault) => misfit(fault, root) ?? []);
const fitting = chosen.filter((fault) => misfit(fault, root) === null);
let survived = 0;
if (list) for (const { name, file } of fitting) console.log(`${name.padEnd(42)} ${file}`);
else survived = await run(fitting);
for (const line of misfits) console.log(line);
if (!list) console.log(`${fitting.length - survived} caught, ${survived} survived, ${misfits.length} do not fit`);
process.exitCode = survived + misfits.length === 0 && chosen.length > 0 ? 0 : 1;

/** Returns how many survived. */
async function run(faults: readonly Fault[]): Promise<number> {
  const copy = new Copy(root);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      copy.remove();
      process.exit(1);
    });
  let missed = 0;
  try {
    const tests = [...new Set(faults.flatMap((fault) => fault.tests))];
    if (!(await copy.testsPass({ tests }))) throw new Error("These tests fail without a fault as well: npm test.");
    for (const fault of faults) {
      const began = performance.now();
      const caught = await copy.catches(fault);
      if (!caught) missed++;
      const seconds = Math.round((performance.now() - began) / 1000);
      console.log(`${fault.name.padEnd(42)} ${caught ? "caught  " : "SURVIVED"} ${String(seconds).padStart(4)} s`);
    }
  } finally {
    copy.remove();
  }
  return missed;
}
