/** Checks that the examples of docs/deploy use settings, paths and ports that exist, and runs the image's files. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readSettings } from "../../daemon/settings.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { freePort } from "../harness/free-port.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

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

/** Follows the steps of the Dockerfile in a folder, without a container. */
describe.runIf(process.platform === "linux")("the image", () => {
  const isRoot = process.getuid?.() === 0;
  const dockerfile = textOf("Dockerfile").slice(textOf("Dockerfile").lastIndexOf("\nFROM "));
  const commandOf = (step: string): string[] =>
    JSON.parse(new RegExp(`^(?:HEALTHCHECK.*\\\\\n +)?${step} (\\[.*\\])$`, "m").exec(dockerfile)![1]!);
  const image = new TemporaryFolder("wireroom-image-").path;
  const app = join(image, "app");

  beforeAll(() => {
    for (const [, source, target] of dockerfile.matchAll(/^COPY --from=build \/app\/(\S+) (\S+)$/gm)) {
      if (source !== "node_modules")
        cpSync(join(root, source!), join(app, target!, target === "./" ? source! : ""), { recursive: true });
      else
        for (const path of productionPackages())
          cpSync(join(root, path), join(app, path), { recursive: true });
    }
    const [, program, link] = /ln -s (\S+) (\S+)/.exec(dockerfile)!;
    mkdirSync(join(image, dirname(link!)), { recursive: true });
    symlinkSync(join(image, program!), join(image, link!));
    chmodSync(image, 0o755);
  });

  /** The folders that stay in node_modules after the build. */
  function productionPackages(): string[] {
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
    return Object.keys(packages).filter((path) => /^node_modules\//.test(path) && !packages[path].dev);
  }

  /** Root's files are read-only for the image's user, except for the volume. Other users run it as themselves. */
  const [launcher, ...asUser] = isRoot
    ? ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", "--inh-caps=-all"]
    : ["env"];

  /** Mounts a new volume, and sets the image's variables and further ones. */
  function environment(variables: Record<string, string>) {
    const volume = new TemporaryFolder("wireroom-volume-").path;
    if (isRoot) chownSync(volume, 1000, 1000);
    const set = Object.entries({ ...environmentOf(dockerfile), ...variables });
    return {
      PATH: `${join(image, "usr/local/bin")}:${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: "/nonexistent",
      ...Object.fromEntries(set.map(([name, value]) => [name, value.replace("/var/lib/wireroom", volume)])),
    };
  }

  // [C-package] [C-init] [C-json-fields] [D12-readyz]
  it.each<Record<string, string>>([{}, { WIREROOM_HOST: "127.0.0.2" }])(
    "serves, knows its health and lets commands inside sign in, read-only (%o)",
    async (variables) => {
      const options = {
        cwd: app,
        env: environment({ ...variables, WIREROOM_PORT: String(await freePort()) }),
      };
      const run = (...command: string[]) =>
        spawnSync(launcher!, [...asUser, ...command], { ...options, encoding: "utf8", timeout: 60_000 });
      const check = commandOf("CMD");
      expect(check[1]).toBe("-e");
      expect(run(...check).status).toBe(1);

      const process = spawn(launcher!, [...asUser, ...commandOf("ENTRYPOINT"), "daemon"], options);
      try {
        await once(process.stdout, "data");
        expect(run(...check)).toMatchObject({ status: 0, stderr: "" });
        const init = run("wireroom", "init", "alice", "--yes", "--no-hosts");
        expect(init).toMatchObject({ status: 0, stdout: expect.stringContaining("@alice") });
        const inbox = run("wireroom", "inbox", "--json=sender,intro");
        expect(JSON.parse(inbox.stdout)).toMatchObject({ wires: [], knocks: [] });
      } finally {
        process.kill();
        await once(process, "exit");
      }
      expect(process.exitCode).toBe(0);
      expect(run(...check).status).toBe(1);
    },
    120_000,
  );
});
