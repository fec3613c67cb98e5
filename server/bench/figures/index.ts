import type { Figure } from "../figure.ts";
import { analytics } from "./analytics.ts";
import { builtinBanking77, builtinLeads } from "./builtin.ts";
import { chat } from "./chat.ts";
import { deliveryIsolation } from "./delivery-isolation.ts";
import { deliveryLatency } from "./delivery-latency.ts";
import { deliveryThroughput } from "./delivery-throughput.ts";
import { dispatch } from "./dispatch.ts";
import { dispatchGoverned } from "./dispatch-governed.ts";
import { dispatchLatency } from "./dispatch-latency.ts";
import { dispatchScale } from "./dispatch-scale.ts";
import { dispatchVsPgbench } from "./dispatch-vs-pgbench.ts";
import { expressions } from "./expressions.ts";
import { knowledge } from "./knowledge.ts";
import { listScale } from "./list-scale.ts";
import { loads } from "./loads.ts";
import { memory } from "./memory.ts";
import { pipelineCpu } from "./pipeline-cpu.ts";
import { portal } from "./portal.ts";
import { proof } from "./proof.ts";
import { rankingParts } from "./ranking.ts";
import { read } from "./read.ts";
import { rollups } from "./rollups.ts";
import { sequencer } from "./sequencer.ts";
import { simulate } from "./simulate.ts";
import { start } from "./start.ts";
import { tasksCancel } from "./tasks-cancel.ts";
import { tasksIdle } from "./tasks-idle.ts";
import { tasksThroughput } from "./tasks-throughput.ts";
import { workflows } from "./workflows.ts";

/** All figures, in the order of the design's table. */
export const figures: readonly Figure[] = [
  dispatch,
  dispatchGoverned,
  dispatchVsPgbench,
  dispatchLatency,
  read,
  pipelineCpu,
  listScale,
  dispatchScale,
  sequencer,
  simulate,
  proof,
  start,
  memory,
  tasksThroughput,
  tasksIdle,
  tasksCancel,
  rollups,
  deliveryLatency,
  deliveryThroughput,
  deliveryIsolation,
  portal,
  builtinBanking77,
  builtinLeads,
  knowledge,
  rankingParts,
  workflows,
  expressions,
  chat,
  analytics,
  loads,
];
