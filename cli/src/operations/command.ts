import type { OperationEntry } from "@aos/sdk/operations";
import { Argument } from "commander";
import type { AosCommand } from "../command.ts";
import { exampleOf } from "./example.ts";
import type { OperationCommand } from "./names.ts";
import { callOptions, valueOptions } from "./options.ts";
import { runOperation } from "./run.ts";

export function defineOperation(command: AosCommand, named: OperationCommand): AosCommand {
  const { operation, aliases } = named;
  if (operation.body?.open) command.openOptions();
  const others = aliases.map((words) => `aos ${words.join(" ")}`).join(", ");
  return command
    .description(described(operation))
    .addOptions([...valueOptions(operation), ...callOptions(operation)])
    .serviceOptions()
    .examples(exampleOf(named))
    .addHelpText("after", `\n${operation.method} ${operation.path}${others === "" ? "" : `; also: ${others}`}`)
    .run((given) => runOperation(operation, given));
}

export function argumentsOf({ pathParameters }: OperationEntry): readonly Argument[] {
  return pathParameters.map(({ name, description, enum: values }) => {
    const argument = new Argument(`<${name}>`, description);
    if (values !== undefined) argument.argChoices = [...values]; // for completion: what is wrong is for the service to say
    return argument;
  });
}

/** Markdown of the description without what only a browser shows. */
function described({ summary, description }: OperationEntry): string {
  const text = description.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
  return text.startsWith(summary) ? text : `${summary}.\n\n${text}`;
}
