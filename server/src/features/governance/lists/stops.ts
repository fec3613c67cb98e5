import type { FactSet } from "../../../kernel/facts.ts";
import type { Sweep } from "../../../kernel/machines.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { engageStop } from "../operations/engage-stop.ts";
import { listStops } from "../operations/list-stops.ts";
import { releaseStop } from "../operations/release-stop.ts";
import { stopFacts } from "../stops/facts.ts";

// The kill switch, and what machines do for it.

export const operations: readonly Operation[] = [engageStop, releaseStop, listStops];
export const facts: readonly FactSet<unknown>[] = [stopFacts];
export const sweeps: readonly Sweep[] = [];
