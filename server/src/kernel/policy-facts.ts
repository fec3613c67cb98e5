/** The facts that policies see of a call, besides who calls, when and where. Members follow the policy context. */
export interface PolicyFacts {
  readonly agent?: { readonly name: string; readonly labels: readonly string[] };
  readonly version?: { readonly number: number; readonly id: string };
  readonly skill?: { readonly name: string };
  readonly tool?: { readonly name: string; readonly effect: "read" | "write" };
  readonly input?: Readonly<Record<string, unknown>>;
  /** Classes of data besides those of the input: what a run has read by searching knowledge. */
  readonly found?: readonly string[];
  readonly risk?: {
    readonly level: string;
    readonly score: number;
    readonly impact: number;
    readonly likelihood: number;
  };
  readonly trust?: { readonly score: number; readonly low: number; readonly high: number };
  readonly model?: { readonly name: string };
  /** The workflow and the step of a run that it carries out. */
  readonly workflow?: { readonly name: string; readonly step: string };
  /** Money spent so far, in US dollars, as far as the operation knows it (`task_usd`); the pipeline adds what budgets know. */
  readonly spend?: Readonly<Record<string, number>>;
}
