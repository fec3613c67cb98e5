import { readAgentFile } from "../../api/agents.ts";
import { useLive } from "../../api/queries.ts";
import { Card } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";

/** The agent as a file, which can be kept with other sources and applied again without loss. */
export function AgentFile({ agent }: { readonly agent: string }) {
  const { data, error } = useLive(readAgentFile(agent));
  return (
    <Card title="The draft as a file">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
        <p className="text-muted">
          Keep it in git. Apply changes with{" "}
          <code className="id">bin/aos agents apply -f {agent}.yaml --note "What changed." --deploy</code>, and{" "}
          <code className="id">bin/aos agents diff -f {agent}.yaml</code> says what that would change.
        </p>
        {error ? (
          <ErrorState error={error} />
        ) : data === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <CodeBlock code={data} label="file" />
        )}
      </div>
    </Card>
  );
}
