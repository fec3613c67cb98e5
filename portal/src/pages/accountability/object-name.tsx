import { Link } from "@tanstack/react-router";

const linked = "id font-medium wrap-anywhere text-accent underline underline-offset-2";

/** What somebody did something to, such as `agent:sales@3`, with the page where it is shown. */
export function ObjectName({ object }: { readonly object: string }) {
  const [, kind, name] = /^(agent|workflow):([^@]+)/.exec(object) ?? [];
  if (kind === "agent" && name !== undefined)
    return (
      <Link to="/agents/$agent" params={{ agent: name }} className={linked}>
        {object}
      </Link>
    );
  if (kind === "workflow" && name !== undefined)
    return (
      <Link to="/workflows/$workflow" params={{ workflow: name }} className={linked}>
        {object}
      </Link>
    );
  return <code className="id wrap-anywhere">{object}</code>;
}
