import { findAccess } from "../access.ts";
import type { AosCommand, Given } from "../command.ts";
import { credentialsFile, forgetKey } from "../credentials.ts";

export default (command: AosCommand): AosCommand =>
  command
    .description(
      `Removes the key saved for the profile and address. The key itself stays valid; aos admin keys revoke revokes it.`,
    )
    .option("--profile <name>", "the profile; default: default (AOS_PROFILE)")
    .run(run);

async function run({ options, terminal }: Given): Promise<number> {
  const { env, stderr } = terminal;
  const { url, profile } = await findAccess({ ...env, AOS_KEY: undefined }, { profile: options.profile });
  const forgotten = await forgetKey(env, profile, url);
  stderr.write(
    forgotten
      ? `Removed the key for ${url} (${credentialsFile(env)}).\n`
      : `No key was saved for ${url} in the profile ${profile}.\n`,
  );
  if (env.AOS_KEY) stderr.write("AOS_KEY is set and still used.\n");
  return 0;
}
