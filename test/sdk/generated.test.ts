/** The generated files of the SDK must match the contract. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import * as sdk from "../../sdk/src/index.js";
import { ERRORS } from "../../src/contract/errors.js";
import { operations } from "../../src/contract/index.js";
import { errorClassOf } from "../../src/generate/sdk/errors.js";
import { fileOf } from "../../src/generate/sdk/names.js";
import { sdkFiles } from "../../src/generate/sdk.js";

const folder = resolve(import.meta.dirname, "../../sdk/src/generated");

describe("the generated files", () => {
  it("are up to date; run `npm run generate` otherwise", () => {
    const files = sdkFiles();
    expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort());
    for (const [path, text] of Object.entries(files))
      expect(readFileSync(resolve(folder, path), "utf8"), path).toBe(text);
  });

  it("have a doc comment with an example for every method", () => {
    const files = sdkFiles();
    for (const { id, auth } of operations) {
      const [noun, verb] = id.split(".");
      const file = files[`${fileOf(noun!)}.ts`];
      expect(file).toContain(`${auth === "key" ? "wr" : "dashboard"}.${id}(`);
      expect(file).toMatch(new RegExp(`\\*/\\n {2}${verb}[<(]`));
    }
  });

  it("have a doc comment for every field", () => {
    for (const [path, text] of Object.entries(sdkFiles())) {
      const fields = text.match(/^.*\n {2,}[a-z_]+\??: .*;$/gm) ?? [];
      expect(
        fields.filter((field) => !/\*\/\n/.test(field)),
        path,
      ).toEqual([]);
    }
  });
});

describe("the README", () => {
  const readme = readFileSync(resolve(folder, "../../README.md"), "utf8");
  const rowOf = (name: string) => readme.split("\n").find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";
  /** The row of a noun begins with its first verb, unlike that of an option with the same name. */
  const operationsOf = (noun: string) =>
    readme.split("\n").find((line) => line.startsWith(`| \`${noun}\` | \``)) ?? "";

  it("names every operation", () => {
    for (const { id } of operations) {
      const [noun, verb] = id.split(".") as [string, string];
      expect(operationsOf(noun), id).toContain(`\`${verb}\``);
    }
  });

  it("names every error and its status", () => {
    for (const [code, { status }] of Object.entries(ERRORS))
      expect(rowOf(errorClassOf(code as keyof typeof ERRORS)), code).toContain(`| ${status} |`);
  });
});

describe("the clients", () => {
  it("have a method for every operation of agents or of humans", () => {
    const clients = {
      key: new sdk.Wireroom({ apiKey: "wr_x" }),
      token: new sdk.WireroomDashboard({ idToken: "x" }),
    };
    for (const { id, auth } of operations) {
      const [noun, verb] = id.split(".") as [string, string];
      const resource = (clients[auth] as unknown as Record<string, Record<string, unknown>>)[noun];
      expect(resource?.[verb], id).toBeTypeOf("function");
      expect(clients[auth === "key" ? "token" : "key"], id).not.toHaveProperty(noun);
    }
  });
});
