import type { PolicyText, TaggedPolicy } from "../../api/governance.ts";

/** A policy as its form holds it. */
export interface Draft {
  readonly name: string;
  readonly actions: string;
  readonly when: string;
  readonly effect: PolicyText["effect"];
  readonly params: string;
  readonly reason_code: string;
  readonly message: string;
  readonly note: string;
}

type Stored = TaggedPolicy["value"];
/** What the form does not ask for. All of it is demanded here, because the service takes what is left out as taken away. */
type Kept = Required<Omit<PolicyText, keyof Draft | "scope">>;

export const emptyDraft: Draft = {
  name: "",
  actions: "task.dispatch",
  when: "",
  effect: "deny",
  params: "",
  reason_code: "",
  message: "",
  note: "",
};

/** What the form shows of a stored policy. */
export const draftOf = (policy: Stored): Draft => ({
  name: policy.name,
  actions: policy.scope.actions?.join(", ") ?? "",
  when: policy.when,
  effect: policy.effect,
  params: Object.keys(policy.params).length === 0 ? "" : JSON.stringify(policy.params, null, 2),
  reason_code: policy.reason_code,
  message: policy.message,
  note: "",
});

const keptOf = ({ controls, effective_from, effective_until }: Stored): Kept => ({
  controls,
  effective_from,
  effective_until,
});

/** What was written, as the service takes it, with what the form does not show as it is stored; throws where the parameters are no JSON. */
export function textOf(draft: Draft, of: Stored | undefined): PolicyText {
  const actions = draft.actions.split(/[\s,]+/).filter((word) => word !== "");
  const { actions: _before, ...scope } = of?.scope ?? {};
  const { name, when, effect, reason_code, message, note } = draft;
  return {
    ...(of ? keptOf(of) : {}),
    name,
    when,
    effect,
    reason_code,
    message,
    scope: { ...scope, ...(actions.length > 0 ? { actions } : {}) },
    ...(draft.params.trim() === "" ? {} : { params: JSON.parse(draft.params) as PolicyText["params"] }),
    ...(note === "" ? {} : { note }),
  } as PolicyText;
}
