/** Adds Wireroom to the configuration of a host, as a user does. */
import { readFile, writeFile } from "node:fs/promises";
import { run } from "./command.mjs";
import { headers, settings } from "./common.mjs";

/**
 * Runs `wireroom mcp install`, and adds the API key to the entry, if there is one.
 * @param file the configuration file of the host
 * @param section the property that maps server names to entries
 */
export async function installEntry(host, file, section) {
  await run(process.execPath, [settings.command, "mcp", "install", host, "--skill"]);
  const configuration = JSON.parse(await readFile(file, "utf8"));
  if (settings.apiKey) configuration[section].wireroom.headers = headers;
  await writeFile(file, JSON.stringify(configuration));
}
