import type { CallContext } from "../../kernel/context.ts";
import type { Fault } from "../../kernel/errors.ts";
import type { PolicyFacts } from "../../kernel/operation.ts";
import { definePort } from "../../kernel/port.ts";
import type { ApprovalDemand, Governed } from "../../kernel/verdict.ts";

/** A call of an agent as somebody proposes it. */
export interface Proposal {
  readonly action: string;
  readonly agent?: string | undefined;
  readonly skill?: string | undefined;
  readonly tool?: string | undefined;
  readonly model?: string | undefined;
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/** What a proposed call would be: what policies would see of it, whose gate it would pass, what it would cost, and whom its risk puts it before. */
export interface Proposed {
  readonly facts: PolicyFacts;
  readonly version: { readonly agent: string; readonly id: string } | null;
  readonly costUsd: number;
  /** The approval that gate and policies ask for, merged with what the call itself asks for. */
  demand(said: SaidOfProposal): AskedOfProposal;
}

export type SaidOfProposal = Pick<Governed, "approval" | "tags">;
export interface AskedOfProposal {
  /** As far as the proposal says. */
  readonly approval: ApprovalDemand | null;
  /** In a run whose model has read text that could steer it, which no proposal says. */
  readonly steered: ApprovalDemand | null;
}

/** What governance asks of tasks about a call that somebody proposes. */
export interface Proposals {
  /** The actions whose input is that of a task, and that pass the evaluation gate. */
  readonly ofWholeTasks: ReadonlySet<string>;
  /** What keeps a proposal from being a call of a deployed agent, each fault with its place. */
  faults(ctx: CallContext, proposal: Proposal): Fault[];
  /** A proposal that has no faults, seen as the call itself would be. */
  call(ctx: CallContext, proposal: Proposal): Proposed;
}

export const proposals = definePort<Proposals>("proposals");
