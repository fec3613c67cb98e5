import { shortened } from "@aos/text";
import { type Decider, type Part, parts } from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, type ProblemType, refuse } from "../../../kernel/errors.ts";
import type { PortReader } from "../../../kernel/port.ts";
import { host, participantOf } from "../../../kernel/principal.ts";
import { insufficientScope, notFound } from "../../../kernel/problems.ts";
import { principalHolds } from "../../../kernel/role-permissions.ts";
import {
  type ConfirmableContent,
  type ConfirmableKind,
  confirmableKinds,
  type StandingActor,
  type StandingKind,
  standingKinds,
  whyNoSecondPerson,
} from "../../admin/public.ts";
import {
  noSecondPerson,
  noSecondPersonText,
  notSignedInPersonally,
  personsOnly,
} from "../../approvals/requests/public.ts";
import { decidedByYou, unknownKind } from "./errors.ts";

type Context = ReadContext | WriteContext;

const stage = "permissions";

/** A longer name is shortened in the response: none of ours is as long. */
const longestName = 100;

/** Who set up what acts later is its owner among the persons of its actor: of its content they are who decided it. */
const ofContent: Partial<Record<Part, string>> = {
  owner: "set it up",
  issuer: "issued the credential that set it up",
};
export const deedOf = (how: Part): string => ofContent[how] ?? parts[how];

interface Named<Kind> {
  readonly kind: Kind | undefined;
  readonly name: string;
}

function named<Kind extends { readonly kind: string }>(kinds: readonly Kind[], object: string): Named<Kind> {
  const at = object.indexOf(":");
  return { kind: kinds.find(({ kind }) => kind === object.slice(0, at)), name: object.slice(at + 1) };
}

type Kinds = readonly { readonly kind: string }[];

const namesOf = (kinds: Kinds): string =>
  kinds
    .map(({ kind }) => kind)
    .sort()
    .join(", ");

const ofNoKind = (object: string, kinds: Kinds): string =>
  `is of no known kind: ${object}; kinds are ${namesOf(kinds)}`;

const faultsOf = (object: string, kinds: Kinds): Fault[] =>
  named(kinds, object).kind ? [] : [{ pointer: "/object", code: unknownKind.code, detail: ofNoKind(object, kinds) }];

export const contentFaults = ({ port }: PortReader, object: string): Fault[] =>
  faultsOf(object, port(confirmableKinds));

export const standingFaults = ({ port }: PortReader, object: string): Fault[] => faultsOf(object, port(standingKinds));

/** Refuses a filter by content of a kind that nobody can confirm: the list would always be empty. */
export function refuseUnknownKind({ port }: PortReader, object: string | undefined): void {
  if (object === undefined || named(port(confirmableKinds), object).kind) return;
  const detail = ofNoKind(object, port(confirmableKinds));
  const errors = [{ parameter: "object", code: unknownKind.code, detail }];
  throw refuse(unknownKind, `object ${detail}.`, { errors });
}

export interface FoundContent {
  readonly kind: ConfirmableKind;
  readonly content: ConfirmableContent;
  readonly agents: readonly string[] | null;
}

export async function findContent(ctx: Context, object: string): Promise<FoundContent | undefined> {
  const { kind, name } = named(ctx.port(confirmableKinds), object);
  const content = await kind?.find(ctx, name);
  return kind && content && { kind, content, agents: content.agents };
}

/** The same. Throws where its kind is unknown, naming the kinds. */
export async function findNamedContent(ctx: Context, object: string): Promise<FoundContent | undefined> {
  if (named(ctx.port(confirmableKinds), object).kind) return findContent(ctx, object);
  const kinds = namesOf(ctx.port(confirmableKinds));
  const detail = `There is no content ${shortened(object, longestName)} in ${ctx.scope.environment}. Name it by kind and name, such as agent:sales@3; kinds are ${kinds}.`;
  throw refuse(notFound, detail, { stage });
}

export interface FoundStanding {
  readonly kind: StandingKind;
  readonly standing: StandingActor;
  readonly name: string;
}

export async function findStanding(ctx: Context, object: string): Promise<FoundStanding | undefined> {
  const { kind, name } = named(ctx.port(standingKinds), object);
  const standing = await kind?.find(ctx, name);
  return kind && standing && { kind, standing, name };
}

/** Refuses who may not read content of a kind, or not do what something does. */
export function requirePermission({ principal }: Context, permission: string, what: string): void {
  if (principalHolds(principal, permission)) return;
  throw refuse(insufficientScope, `${what} takes ${permission}, which your role or scopes do not include.`, {
    stage,
    members: { missing_scope: permission },
  });
}

interface Bar {
  readonly problem: ProblemType;
  readonly reason: string;
}

export function confirmBar(ctx: Context, { object, deciders }: ConfirmableContent): Bar | null {
  const why = whyNoSecondPerson(ctx, deciders);
  if (why === "not_a_person")
    return {
      problem: personsOnly,
      reason: `Only a person can confirm ${object}. This key belongs to a service account.`,
    };
  if (!ctx.personalSignIn)
    return { problem: noSecondPerson, reason: noSecondPersonText(`Confirming ${object} takes a second person`) };
  if (why === "decider") return { problem: decidedByYou, reason: ownDeedsText(ctx, object, deciders) };
  if (ctx.principal.sessionId === undefined)
    return {
      problem: notSignedInPersonally,
      reason: `Content is confirmed in the portal, signed in by passkey or OpenID Connect: ${ctx.appUrl}/sign-in`,
    };
  if (why === null) return null;
  const reason = "You signed in with a key or a link. Sign out and sign in with a passkey or OpenID Connect.";
  return { problem: notSignedInPersonally, reason };
}

/** What the caller did to content, as the words after "You" or after "Whoever issued your credential". */
const ownDeeds: Partial<Record<Part, string>> = {
  owner: "set up this {kind}",
  issuer: "issued the credential that set up this {kind}",
  agent: "changed this agent",
  trained: "trained this version",
  corrected: "corrected a result that this version was trained on",
  deployed: "deployed this version",
  workflow: "changed this workflow",
  trigger: "changed this trigger",
  schedule: "changed this schedule",
  connection: "changed this connection",
  dataset: "changed a dataset that this version was trained on",
};

function ownDeedsText({ principal }: Context, object: string, deciders: readonly Decider[]): string {
  const kind = object.slice(0, object.indexOf(":"));
  const mine = deciders.filter(({ id }) => id === principal.id);
  const { accountable } = participantOf(principal);
  const counted = mine.length > 0 ? mine : deciders.filter(({ id }) => id !== host && accountable.includes(id));
  const deeds = counted.map(({ how }) =>
    how === "dataset" && kind === "dataset"
      ? "changed this dataset"
      : (ownDeeds[how] ?? parts[how]).replace("{kind}", kind),
  );
  const who = mine.length > 0 ? "You" : "Whoever issued your credential";
  return `${who} ${[...new Set(deeds)].join(" and ")}, so another person must confirm it.`;
}

export function refuseBarred(ctx: Context, content: ConfirmableContent): void {
  const bar = confirmBar(ctx, content);
  if (bar) throw refuse(bar.problem, bar.reason, { stage });
}
