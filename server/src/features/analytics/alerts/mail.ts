import type { JobSpec } from "../../../kernel/append.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { JobParts } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { signInPort } from "../../admin/public.ts";
import { measures } from "../rollups/measures.ts";
import type { AlertEvaluation } from "./states.ts";
import { addressesOf } from "./store.ts";
import type { AlertRow } from "./view.ts";

export const alertMailJob = "mail_alert";

interface AlertMail {
  readonly member: string;
  readonly subject: string;
  readonly text: string;
}

/** A job that e-mails a member that an alert fired or cleared. Where no mail server is configured it does nothing. */
export function mailAlert(
  { scope: { organization, environment }, now }: Pick<WriteContext, "scope" | "now">,
  alert: AlertRow,
  looked: AlertEvaluation,
  member: string,
  link: string,
): JobSpec {
  const mail: AlertMail = { member, ...mailOf(environment, alert, looked, link) };
  return { task: alertMailJob, payload: { organization, environment, ...mail }, key: `${alert.id} ${now} ${member}` };
}

function mailOf(environment: string, alert: AlertRow, { event, value, n }: AlertEvaluation, link: string) {
  const { unit } = measures[alert.measure];
  const measured = value === null ? "nothing to measure" : `${Number(value.toPrecision(4))} (${unit})`;
  return {
    subject: `${event === "fired" ? "Alert" : "Cleared"} in ${environment}: ${alert.name}`,
    text: `${alert.name} ${event === "fired" ? "has fired" : "has cleared"} in ${environment}.

${alert.measure} over ${alert.window_minutes} minutes is ${measured}, of ${n} things.
${conditionText(alert)}

${link}
`,
  };
}

function conditionText({ condition, for_minutes }: AlertRow): string {
  const lasting = for_minutes === 0 ? "" : ` for ${for_minutes} minutes`;
  if (condition.kind === "anomaly")
    return `It fires where a value is as rare as once in ${condition.once_in} beside earlier weeks${lasting}.`;
  return `It fires ${condition.kind} ${condition.threshold}${lasting}.`;
}

export const createAlertMailJob =
  ({ db, port }: Pick<JobParts, "db" | "port">) =>
  async (payload: unknown): Promise<void> => {
    const { sendMail } = port(signInPort);
    if (sendMail === null) return;
    const { organization, environment, member, subject, text } = payload as Scope & AlertMail;
    const [to] = await addressesOf({ scope: { organization, environment }, db }, [member]);
    if (to !== undefined) await sendMail({ to, subject, text });
  };
