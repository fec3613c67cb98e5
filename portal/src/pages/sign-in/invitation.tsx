import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { acceptInvitation, type Invitation, openInvitation } from "../../api/passkeys.ts";
import { asProblem } from "../../api/problem.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";
import { takeToken, useEntry, useToken } from "./entry.ts";
import { Entry } from "./welcome.tsx";

const gone = "This invitation was already used or is older than 24 hours. Ask an admin for a new one.";

function faultOf(error: unknown): string {
  const problem = asProblem(error);
  return problem.status === 401 ? gone : problem.detail;
}

/** Where the link of an invitation leads: its person makes a passkey, and is signed in by it. */
export function InvitationPage() {
  const enter = useEntry();
  const [token, setToken] = useState(takeToken);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [refused, setFault] = useState<string | null>(null);
  const fault = token === null ? "This address is incomplete. Open the full link from the e-mail." : refused;
  const [busy, setBusy] = useState(false);
  useToken(setToken);
  useEffect(() => {
    if (token === null) return;
    let current = true;
    setFault(null);
    setInvitation(null);
    openInvitation(token).then(
      (opened) => current && setInvitation(opened),
      (error: unknown) => current && setFault(faultOf(error)),
    );
    return () => {
      current = false;
    };
  }, [token]);
  const accept = async (name: string): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      await enter(await acceptInvitation(token ?? "", name));
    } catch (error) {
      setFault(faultOf(error));
      setBusy(false);
    }
  };
  return (
    <Entry title="Welcome">
      {fault ? (
        <div className="mt-4" role="alert">
          <Notice tone="bad">{fault}</Notice>
        </div>
      ) : null}
      {invitation === null ? (
        fault === null ? (
          <p className="mt-3 text-muted" role="status">
            Opening your invitation…
          </p>
        ) : (
          <Link to="/sign-in" className={`${buttonClass("plain", "large")} mt-6`}>
            Go to the sign-in page
          </Link>
        )
      ) : (
        <PasskeyForm invitation={invitation} busy={busy} onName={(name) => void accept(name)} />
      )}
    </Entry>
  );
}

function PasskeyForm({
  invitation,
  busy,
  onName,
}: {
  invitation: Invitation;
  busy: boolean;
  onName: (name: string) => void;
}) {
  const { name, email, environment } = invitation;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onName(String(new FormData(event.currentTarget).get("name")).trim() || "Passkey");
  };
  return (
    <form onSubmit={submit} className="mt-3 grid gap-4">
      <p>
        You are invited as <strong>{name}</strong>
        {email === null || email === name ? null : ` (${email})`} to <strong>{environment}</strong>.
      </p>
      <p className="text-sm text-muted">
        Your device stores the passkey and unlocks it with your fingerprint, face or PIN. You will sign in with it from
        now on, without a password.
      </p>
      <Field
        name="name"
        label="Name of this passkey"
        defaultValue="My device"
        maxLength={100}
        hint="Helps you recognize it later."
      />
      <Button type="submit" kind="primary" size="large" busy={busy}>
        Create passkey and sign in
      </Button>
    </form>
  );
}
