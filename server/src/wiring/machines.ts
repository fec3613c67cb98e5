import type { Logger } from "pino";
import type { SequencerLog } from "../audit-log/index.ts";
import { createLogMachine } from "../audit-log/log-machine.ts";
import { FactStore } from "../db/facts.ts";
import { createReader } from "../db/reader.ts";
import { openSecrets } from "../db/secrets.ts";
import { createSignal } from "../db/signal.ts";
import { isLiveIn } from "../features/agents/public.ts";
import { createBudgets } from "../features/governance/index.ts";
import { factSets } from "../features/index.ts";
import { requeueTask } from "../features/tasks/index.ts";
import { createIds } from "../kernel/ids.ts";
import { defaultOrganization } from "../kernel/principal.ts";
import { createSeals } from "../kernel/seals.ts";
import { createCallWatch } from "../telemetry/call-watch.ts";
import { enterDatabaseGauges } from "../telemetry/database-gauges.ts";
import { reporter } from "../telemetry/log.ts";
import { sealEarlierResults } from "./earlier-results.ts";
import { createHousekeeping } from "./housekeeping.ts";
import type { AppOptions } from "./options.ts";
import { joinPorts } from "./ports.ts";
import { createServiceParts } from "./service-parts.ts";
import { createStagePort } from "./stage-port.ts";
import { createStages } from "./stages.ts";

export type Machines = Awaited<ReturnType<typeof createMachines>>;

/** What stands behind the pipeline: facts in memory, the audit log, budgets, and what the stages ask of them. */
export async function createMachines(options: AppOptions) {
  const { database, clock, log, keySource } = options;
  const { tracer, meter } = options.telemetry;
  const report = reporter(log);
  const newId = createIds(clock);
  enterDatabaseGauges({ database, clock, meter });
  const secrets = await openSecrets({ pool: database.pool, keySource });
  const credentialKey = await secrets.credentialKey();
  const reader = createReader(database.readPool);
  const facts = new FactStore({ pool: database.machinePool, reader, sets: factSets, clock, report });
  const auditLog = await createLogMachine({ ...options, secrets, log: quiet(log), meter });
  const chatSignal = createSignal({ pool: database.machinePool, channel: "aos_chat", report });
  const housekeeping = createHousekeeping({ database, clock, report });
  const budgets = createBudgets({ database, facts, clock, newId, report });
  const seals = createSeals(secrets.sealKey());
  const servesProduction = () => isLiveIn(facts, "production");
  const made = { ...options, ...auditLog, facts, reader, newId, seals, credentialKey, chatSignal, report };
  const parts = createServiceParts({ ...made, servesProduction, tracer, meter });
  const port = joinPorts(parts, createStagePort({ facts, reader, clock, budgets, ...housekeeping }));
  const stages = await createStages({
    ...options,
    facts,
    secrets,
    newId,
    report,
    meter,
    organization: defaultOrganization,
    sequencer: auditLog.sequencer,
    mac: auditLog.trust.mac,
    acknowledged: auditLog.alarm.acknowledged,
    seals,
    port,
    watch: createCallWatch({ tracer, meter, log, requeueTask: requeueTask.id }),
  });
  await sealEarlierResults(database, seals, log);
  return {
    report,
    newId,
    credentialKey,
    reader,
    facts,
    auditLog,
    chatSignal,
    housekeeping,
    budgets,
    servesProduction,
    seals,
    parts,
    port,
    ...stages,
  };
}

/** Which process sequences which log is of interest only when something is wrong. */
export const quiet = (log: Logger): SequencerLog => ({
  info: (message) => log.debug(message),
  warn: (message) => log.warn(message),
  error: (message) => log.error(message),
});
