/** Checks that the examples of docs/deploy use settings, paths and ports that exist. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../daemon/settings.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, "docs/deploy");
// The YAML parser of knip, which is a development dependency.
const { parseAllDocuments } = createRequire(join(root, "test/node_modules/knip/package.json"))("yaml");

const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\w\.|file$/.test(file),
);
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");

/** Parses a YAML file, which must have no errors and no warnings. Returns its documents. */
function documentsOf(file: string): Body[] {
  return parseAllDocuments(textOf(file)).map((document: Body) => {
    expect({ file, problems: [...document.errors, ...document.warnings] }).toEqual({ file, problems: [] });
    return document.toJS();
  });
}

const environmentOf = (lines: string): Record<string, string> =>
  Object.fromEntries([...lines.matchAll(/(WIREROOM_\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]));

const { daemon } = await hostedFixture([], {});

describe("the deployment examples", () => {
  it("are valid YAML", () => {
    const yaml = files.filter((file) => file.endsWith(".yaml"));
    expect(yaml.length).toBeGreaterThan(4);
    for (const file of yaml) expect(documentsOf(file).length).toBeGreaterThan(0);
  });

  // [D12-variables]
  it("use only settings that exist", () => {
    const known = new Set(readFileSync(join(root, "daemon/settings.ts"), "utf8").match(/WIREROOM_[A-Z_]+/g));
    // This variable belongs to the examples: role.sql sets the password from it.
    known.add("WIREROOM_DATABASE_PASSWORD");
    // Variables of the command, for `wireroom watch`.
    for (const name of ["CONFIG_DIR", "URL", "API_KEY"]) known.add(`WIREROOM_${name}`);
    const named = files.flatMap((file) => textOf(file).match(/WIREROOM_[A-Z_]+/g) ?? []);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  // [D12-variables]
  it("set values that the daemon accepts", () => {
    const unit = environmentOf(textOf("wireroom@.service").replaceAll("%i", "4747"));
    const onMachine = readSettings({}, { ...environmentOf(textOf("environment.example")), ...unit });
    expect(onMachine).toMatchObject({ port: 4747, dataDir: "/var/lib/wireroom/4747", host: "10.0.0.11" });

    const image = environmentOf(textOf("Dockerfile"));
    const { services } = documentsOf("compose.yaml")[0];
    const inCompose = readSettings({}, { ...image, ...services.wireroom.environment });
    expect(inCompose).toMatchObject({ port: 4747, host: "0.0.0.0", publicUrl: "http://localhost:8080" });

    const pod = documentsOf("kubernetes/deployment.yaml")[0].spec.template.spec;
    const [container] = pod.containers;
    const given = container.env.filter(({ value }: Body) => value !== undefined);
    const variables = Object.fromEntries(given.map(({ name, value }: Body) => [name, value]));
    const inPod = readSettings({}, { ...image, ...variables });
    expect(inPod.publicUrl).toBe("https://wireroom.example.com");
    // With a public URL, a proxy is in front of the daemon. Without its address, all clients are one source.
    for (const { trustedProxies } of [onMachine, inCompose, inPod])
      expect(trustedProxies.length).toBeGreaterThan(0);
    expect(container.ports[0].containerPort).toBe(readSettings({}, image).port);
    expect(container.volumeMounts.map(({ mountPath }: Body) => mountPath)).toContain(
      readSettings({}, image).dataDir,
    );
  });

  // [D12-trusted-proxies]
  it("name the trusted proxies wherever they name the public URL", () => {
    const withUrl = files.filter((file) => textOf(file).includes("WIREROOM_PUBLIC_URL"));
    expect(withUrl.length).toBeGreaterThanOrEqual(3);
    expect(withUrl.filter((file) => !textOf(file).includes("WIREROOM_TRUSTED_PROXIES"))).toEqual([]);
  });

  // [D12-healthz] [D12-readyz]
  it("probe paths that the daemon serves", async () => {
    const [container] = documentsOf("kubernetes/deployment.yaml")[0].spec.template.spec.containers;
    const probes = ["startupProbe", "readinessProbe", "livenessProbe"].map(
      (name) => container[name].httpGet.path,
    );
    expect(new Set(probes)).toEqual(new Set(["/healthz", "/readyz"]));
    for (const path of probes) expect((await fetch(`${daemon.origin}${path}`)).status).toBe(200);
  });

  // [D12-readyz]
  it("check the health of the image at the port that it is told", async () => {
    const [, script = ""] = /CMD \["node", "-e", "(.*)"\]$/m.exec(textOf("Dockerfile")) ?? [];
    const { port } = new URL(daemon.origin);
    const exitOn = (WIREROOM_PORT: string) =>
      new Promise((resolve) =>
        execFile(process.execPath, ["-e", script], { env: { ...process.env, WIREROOM_PORT } }).once(
          "exit",
          resolve,
        ),
      );
    expect([await exitOn(port), await exitOn("1")]).toEqual([0, 1]);
  });

  it("use the same ports and names in all files", () => {
    const all = ["deployment", "service", "disruption-budget", "autoscaler"].map(
      (name) => documentsOf(`kubernetes/${name}.yaml`)[0],
    );
    const [deployment, service, budget, autoscaler] = all;
    const { labels } = deployment.spec.template.metadata;
    expect([
      deployment.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
    ]).toEqual([labels, labels, labels]);
    expect(autoscaler.spec.scaleTargetRef.name).toBe(deployment.metadata.name);
    expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
    const { resources } = documentsOf("kubernetes/kustomization.yaml")[0];
    for (const file of resources) expect(files).toContain(join("kubernetes", file));
  });

  it("allow long-polls of 60 s and more", () => {
    const seconds = [
      textOf("nginx.conf").match(/proxy_read_timeout (\d+)s/)![1],
      textOf("Caddyfile").match(/response_header_timeout (\d+)s/)![1],
    ].map(Number);
    for (const timeout of seconds) expect(timeout).toBeGreaterThan(60);
  });
});
