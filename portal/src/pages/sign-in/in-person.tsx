import { getRouteApi } from "@tanstack/react-router";
import { KeyRound, LogIn } from "lucide-react";
import { useState } from "react";
import { signInMethods, signInWithPasskey } from "../../api/passkeys.ts";
import { asProblem } from "../../api/problem.ts";
import { useLive } from "../../api/queries.ts";
import type { Session } from "../../api/session.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";

type Environment = Session["environment"];

const route = getRouteApi("/sign-in");
const all: readonly Environment[] = ["production", "staging", "development"];
const remembered = "aos.environment";

/** The environment that was signed in to last, on this device. */
const lastEnvironment = (): Environment => all.find((one) => one === localStorage.getItem(remembered)) ?? "production";

/** Why the provider's sign-in came to nothing, by the problem's code. */
const failures: Readonly<Record<string, string>> = {
  identity_provider_failed: "The identity provider is unreachable or sent an invalid response. Try again in a moment.",
  account_already_bound:
    "Your account belongs to a member whose e-mail address was changed. Ask an admin to give that member your address.",
  no_role_here: "You have no role in this environment. Choose another one, or ask an admin.",
  unauthenticated:
    "The sign-in did not succeed: it was declined, took longer than ten minutes, or nobody here is invited with your address.",
  policy_blocked: "A policy blocks signing in to this environment.",
  rate_limited: "Too many attempts from your network. Wait a minute.",
};

/** The ways to sign in that prove who one is, as far as they are configured. */
export function InPerson({ onEnter }: { readonly onEnter: (session: Session | null) => Promise<void> }) {
  const { next, failed } = route.useSearch();
  const { data: methods } = useLive(signInMethods);
  const [environment, setEnvironment] = useState(lastEnvironment);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState(
    failed === undefined ? null : (failures[failed] ?? "The sign-in did not succeed."),
  );
  const offered = methods !== undefined && (methods.provider !== null || methods.passkeys);
  const choose = (chosen: Environment): void => {
    localStorage.setItem(remembered, chosen);
    setEnvironment(chosen);
  };
  const withPasskey = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      await onEnter(await signInWithPasskey(environment));
    } catch (error) {
      setFault(passkeyFault(error));
      setBusy(false);
    }
  };
  return (
    <>
      {fault ? (
        <div className="mt-4" role="alert">
          <Notice tone="bad">{fault}</Notice>
        </div>
      ) : null}
      {offered ? (
        <section aria-label="Sign in in person" className="mt-6 grid gap-3 border-b border-line pb-6">
          <Select
            label="Environment"
            value={environment}
            onChange={(event) => choose(event.target.value as Environment)}
          >
            {all.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Select>
          {methods.provider === null ? null : (
            <a className={buttonClass("primary", "large")} href={startAddress(environment, next)}>
              <LogIn className="size-4.5" aria-hidden="true" /> Sign in with {methods.provider}
            </a>
          )}
          {methods.passkeys ? (
            <Button
              kind={methods.provider === null ? "primary" : "plain"}
              size="large"
              busy={busy}
              icon={<KeyRound className="size-4.5" aria-hidden="true" />}
              onClick={() => void withPasskey()}
            >
              Use a passkey
            </Button>
          ) : null}
          <p className="text-sm text-muted">
            {methods.provider === null ? "This way" : methods.passkeys ? "Either way" : "This way"} you sign in in
            person: your votes on approvals count as your own.{" "}
            {methods.passkeys ? "Your first passkey is made from an invitation that is e-mailed to you." : null}
          </p>
        </section>
      ) : null}
    </>
  );
}

const startAddress = (environment: Environment, next = "/"): string =>
  `/auth/oidc/start?${new URLSearchParams({ environment, return: next }).toString()}`;

function passkeyFault(error: unknown): string {
  const problem = asProblem(error);
  return problem.status === 401 ? "This passkey was not accepted. It may have been removed." : problem.detail;
}
