import { Type } from "typebox";
import type { Decider } from "../../../../kernel/actor.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { insufficientScope } from "../../../../kernel/problems.ts";
import { principalHolds } from "../../../../kernel/role-permissions.ts";
import { accountablePersons } from "../../../admin/public.ts";
import { confirmBar, deedOf, type FoundContent, findNamedContent, requirePermission } from "../content.ts";
import { exampleContent } from "../example.ts";
import { AccountableContent } from "../schemas.ts";
import { findConfirmation } from "../store.ts";

const confirmPermission = "governance:confirm";

export const readContent = defineRead({
  id: "governance.readContent",
  path: "/v1/governance/contents/{object}",
  summary: "Read the authors of content",
  description:
    "The authors of an agent's version, a workflow's version, a trigger, schedule, connection or dataset, whether a second person has reviewed it in this environment, and whether you may confirm it. " +
    "`path` is where to read the content itself.",
  params: Type.Object({
    object: Type.String({ description: "The content by kind and name, such as `agent:sales@3`." }),
  }),
  output: AccountableContent,
  example: { params: { object: exampleContent.object }, output: exampleContent },
  permission: "governance:read",
  load: (ctx, { object }) => findNamedContent(ctx, object),
  compliance: governs("content.read"),
  audit: ({ params }) => ({ object: params.object ?? null }),
  errors: [insufficientScope],
  async handle(ctx, { loaded: { kind, content } }) {
    requirePermission(ctx, kind.permission, `Reading ${content.object}`);
    const { object, digest, path, agents } = content;
    const [deciders, confirmed] = [
      await accountablePersons(ctx, newestDeeds(content.deciders)),
      (await findConfirmation(ctx, content)) ?? null,
    ];
    return {
      object,
      digest,
      path,
      agents: agents === null ? null : [...agents],
      deciders: deciders.map((one) => ({ ...one, text: deedOf(one.how) })),
      confirmed,
      may_confirm: mayConfirm(ctx, content, confirmed !== null),
    };
  },
});

/** Each person once for each deed, as they did it last: a version has the deciders of those before it too. */
function newestDeeds(deciders: readonly Decider[]): Decider[] {
  const newest = new Map<string, Decider>();
  for (const one of deciders) {
    const deed = `${one.id} ${one.how}`;
    const known = newest.get(deed);
    if (!known || (known.at ?? "") < (one.at ?? "")) newest.set(deed, one);
  }
  return [...newest.values()];
}

function mayConfirm(ctx: ReadContext, content: FoundContent["content"], isConfirmed: boolean) {
  const no = (reason: string) => ({ allowed: false, reason });
  if (isConfirmed) return no("A second person has reviewed it already.");
  if (!principalHolds(ctx.principal, confirmPermission))
    return no(`Confirming needs the permission ${confirmPermission}.`);
  const bar = confirmBar(ctx, content);
  return bar ? no(bar.reason) : { allowed: true, reason: null };
}
