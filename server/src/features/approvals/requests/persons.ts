import { host } from "../../../kernel/principal.ts";
import type { VoteWord } from "./rules.ts";

// Which persons stand behind credentials: whoever is accountable for one of them counts once, however many they hold.

export const decidePermission = "approvals:decide";

/** What of an approval says whether it takes somebody else than who asked, or more than one person. */
export interface Demanding {
  readonly requester_allowed: boolean;
  readonly approvers: number;
}

export interface CountedVote {
  readonly vote: VoteWord;
  readonly accountable: readonly string[];
  readonly personal: boolean;
  /** Whether the voter may still decide: a member with a role that includes it, and with the e-mail address that they voted under. */
  readonly in_force: boolean;
}

/** Whether a second person is demanded: another one than who asked, or two. */
export const needsSecondPerson = ({ requester_allowed, approvers }: Demanding): boolean =>
  !requester_allowed || approvers > 1;

/** Whether only credentials count that their person took up personally. `strict`: see the settings of the environment. */
export const needsPersonal = (approval: Demanding, strict: boolean): boolean => strict && needsSecondPerson(approval);

/** The persons among those accountable. Everything on a laptop comes from its host, so that the host tells nobody apart. */
export const personsOf = (accountable: readonly string[]): string[] => accountable.filter((id) => id !== host);

export function shareAPerson(a: readonly string[], b: readonly string[]): boolean {
  return a.some((id) => id !== host && b.includes(id));
}

/** Whether a vote counts: its voter may still decide, and it was cast with a credential of the kind that is demanded. */
export function counts(vote: Omit<CountedVote, "vote" | "accountable">, approval: Demanding, strict: boolean): boolean {
  return vote.in_force && (vote.personal || !needsPersonal(approval, strict));
}

/** How many persons stand behind credentials: those that lead to one person are one, also by way of a third. */
export function countPersons(credentials: readonly (readonly string[])[]): number {
  let groups: (readonly string[])[] = [];
  for (const credential of credentials) {
    const same = groups.filter((group) => shareAPerson(group, credential));
    groups = [...groups.filter((group) => !same.includes(group)), [...same.flat(), ...credential]];
  }
  return groups.length;
}

export function approvalsOf(votes: readonly CountedVote[], approval: Demanding, strict: boolean): number {
  const approving = votes.filter((vote) => vote.vote === "approve" && counts(vote, approval, strict));
  return countPersons(approving.map(({ accountable }) => accountable));
}

export interface Parties {
  readonly requester: string;
  readonly requester_accountable: readonly string[];
  readonly requester_allowed: boolean;
  readonly edited_by: string | null;
  readonly editor_accountable: readonly string[];
}

/** Who takes part under four eyes: whoever is accountable for the request or an edit, where a person other than these is demanded. */
export const barredParties = (approval: Parties): string[] => (approval.requester_allowed ? [] : partiesOf(approval));

/** Whoever is accountable for the request or an edit. */
export function partiesOf(approval: Omit<Parties, "requester_allowed">): string[] {
  const { requester, requester_accountable, edited_by, editor_accountable } = approval;
  return [requester, ...requester_accountable, ...(edited_by === null ? [] : [edited_by]), ...editor_accountable];
}
