import type { CallContext } from "../../kernel/context.ts";
import type { GateConsequence, GateState } from "../../kernel/gate-table.ts";
import type { Statements } from "../../kernel/machines.ts";
import { definePort } from "../../kernel/port.ts";

/** A knowledge base and how fresh it is. */
export interface BaseFreshness {
  readonly name: string;
  readonly documents: number;
  /** Documents that could not be indexed. */
  readonly failed: number;
  /** Documents past their review date. */
  readonly stale: number;
  /** Names of connectors that failed the last time or are paused. */
  readonly connectors: readonly string[];
}

/** A limit of a budget that covers an agent. */
export interface BudgetStanding {
  readonly scope: string;
  readonly unit: string;
  readonly period: string;
  readonly state: "ok" | "warning" | "exhausted";
}

type Knowing = Pick<CallContext, "facts" | "scope" | "now">;
type Looking = Pick<CallContext, "scope"> & { readonly db: Statements };

/** What the health of an agent needs of evaluations, governance and knowledge. */
export interface HealthSources {
  gate(
    ctx: Knowing,
    agent: string,
    versionId: string,
  ): { readonly state: GateState; readonly consequence: GateConsequence; readonly reasons: readonly string[] };
  /** The kill switch or pause that stands against an action; null: none. */
  hold(
    ctx: Knowing,
    action: string,
    of: {
      readonly agent: string;
      readonly versionId: string;
      readonly skill?: string;
      readonly tool?: string;
      readonly model?: string;
    },
  ): { readonly source: string; readonly detail: string } | null;
  budgets(ctx: Looking, scopes: readonly string[]): Promise<readonly BudgetStanding[]>;
  /** Those of the bases that the environment has. */
  knowledge(ctx: Looking, bases: readonly string[]): Promise<readonly BaseFreshness[]>;
}
export const healthSources = definePort<HealthSources>("health of agents");
