import type { JobSpec } from "../../../../kernel/append.ts";
import { Refusal, refuse } from "../../../../kernel/errors.ts";
import type { Mail, SendMail } from "../../../../kernel/identity.ts";
import type { RunInside } from "../../../../kernel/machines.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import type { Scope } from "../../../../kernel/principal.ts";
import { drawSecret } from "../../../../kernel/sessions.ts";
import { findPerson } from "../../members/store.ts";
import type { SignInPort } from "../../ports.ts";
import { replaceInvitation } from "../accounts-store.ts";
import { notInvitable } from "../errors.ts";

export const invitationJobName = "send_invitation";

/** A job that e-mails a person an invitation to the environment. Where no mail server is configured it does nothing. */
export const invitationJob = ({ organization, environment }: Scope, member: string): JobSpec => ({
  task: invitationJobName,
  payload: { organization, environment, member },
  key: `invite ${environment} ${member}`,
});

interface Sending {
  readonly member: string;
  readonly sendMail: SendMail;
}

interface Sent {
  readonly invitationId: string;
}

/** Draws the token when the e-mail is sent, so that it stands nowhere but in the e-mail: not in the job, an answer, an event or a log. */
export const sendInvitation: InsideOperation<Sending, Sent> = defineInside({
  id: "sessions.sendInvitation",
  summary: "E-mail a person the invitation to sign in",
  permission: exempt("the service itself, after an admin invited the person"),
  load: exempt("names no object; whom it goes to is looked up with it"),
  gate: exempt("makes no agent act"),
  compliance: exempt("follows from an invitation that policies have seen"),
  audit: ({ params, output }: { params: Sending; output: Sent | undefined }) => ({
    object: output ? `invitation:${output.invitationId}` : `member:${params.member}`,
    subject: params.member,
  }),
  errors: [notInvitable],
  async handle(ctx, { params: { member, sendMail } }: { params: Sending }) {
    const person = await findPerson(ctx, member);
    if (!person?.email || person.role === null)
      throw refuse(notInvitable, "The person has lost their role or e-mail address meanwhile.");
    const token = drawSecret();
    const { id, expiresAt } = await replaceInvitation(ctx, member, token);
    await sendMail(
      invitationMail({
        to: person.email,
        url: `${ctx.appUrl}/invitation#token=${token}`,
        expiresAt,
        appUrl: ctx.appUrl,
      }),
    );
    return { invitationId: id };
  },
});

function invitationMail({
  to,
  url,
  expiresAt,
  appUrl,
}: {
  to: string;
  url: string;
  expiresAt: Date;
  appUrl: string;
}): Mail {
  const until = `${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return {
    to,
    subject: "Your invitation to Agent Operations",
    text: `You are invited to Agent Operations at ${appUrl}.

Open this link to create your passkey and sign in:

${url}

The link works once, until ${until}. Whoever opens it signs in as you: do not forward it.
If you did not expect it, ignore this e-mail.
`,
  };
}

/** What carries the job out. An e-mail that the server did not take is tried again later, with a new link. */
export const createInvitationJob =
  (inside: RunInside, { sendMail }: SignInPort) =>
  async (payload: unknown): Promise<void> => {
    if (sendMail === null) return;
    const { organization, environment, member } = payload as Scope & { readonly member: string };
    try {
      await inside(sendInvitation, { organization, environment }, { member, sendMail });
    } catch (error) {
      const pointless = error instanceof Refusal && error.type === notInvitable; // it stands in the audit log
      if (!pointless) throw error;
    }
  };
