/**
 * Checks the packages of a `package-lock.json`: their licences, origins and install scripts, and known
 * vulnerabilities. The SDK's only dependency, undici, is one of them. The SDK is a library and accepts any
 * undici 7, so that a program needs only one copy of undici and gets fixes without a new SDK. The tests run
 * with the version of the lock file. Usage: `node scripts/check-dependencies.mjs [FOLDER]`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/**
 * Licences that permit the use, change and distribution of the package, and only require to name its authors.
 */
const PERMISSIVE = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
]);
const REGISTRY = "https://registry.npmjs.org/";

/** Maximum time for `npm audit`, which needs the network. */
const AUDIT_TIMEOUT_MS = 60_000;

process.chdir(process.argv[2] ?? ".");
const { allowScripts = {} } = JSON.parse(readFileSync("package.json", "utf8"));
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes("node_modules/") && !link,
);
/** Packages whose code `dist` contains, by name. */
const inventory = "dist/data/bundled-packages.txt";
const bundled = new Set(
  existsSync(inventory)
    ? [...readFileSync(inventory, "utf8").matchAll(/^# (\S+) \d/gm)].map(([, name]) => name)
    : [],
);
const problems = [...licenceProblems(), ...originProblems(), ...scriptProblems(), ...auditProblems()];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`checked the licences, origins and scripts of ${installed.length} packages`);

/** Packages that are installed or bundled must have a permissive licence. Others are not distributed. */
function licenceProblems() {
  return installed
    .filter(([path, { dev, license }]) => (!dev || bundled.has(nameOf(path))) && !isPermissive(license ?? ""))
    .map(
      ([path, { license = "none" }]) =>
        `${path}: the licence ${license} is not on the list of permissive licences`,
    );
}

/**
 * Evaluates an SPDX expression such as `(MIT OR CC0-1.0)`.
 * https://spdx.github.io/spdx-spec/v2.3/SPDX-license-expressions/
 */
function isPermissive(expression) {
  const text = expression.replace(/^\(([^()]*)\)$/, "$1");
  if (text.includes("(")) return false;
  return text
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((each) => PERMISSIVE.has(each.trim())));
}

/**
 * A package that names its origin must come from the registry, so that a changed lock file cannot bring
 * another one.
 */
function originProblems() {
  return installed
    .filter(([, { resolved = REGISTRY }]) => !resolved.startsWith(REGISTRY))
    .map(([path, { resolved }]) => `${path}: comes from ${resolved}, not from ${REGISTRY}`);
}

/** A package may run a script at its installation only if `allowScripts` in package.json decides so. */
function scriptProblems() {
  return installed
    .filter(
      ([path, { hasInstallScript, optional }]) =>
        hasInstallScript && !optional && !(nameOf(path) in allowScripts),
    )
    .map(([path]) => `${path}: has an install script that \`allowScripts\` in package.json does not name`);
}

function nameOf(path) {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/**
 * A package that is installed or bundled may have no known vulnerability, and a development package none that
 * is high or critical.
 */
function auditProblems() {
  const { stdout, error } = spawnSync(
    "npm",
    ["audit", "--json", "--fetch-retries=0", "--fetch-timeout=20000"],
    { encoding: "utf8", timeout: AUDIT_TIMEOUT_MS, maxBuffer: 64 * 1_024 * 1_024 },
  );
  const report = parsed(stdout);
  if (report?.vulnerabilities === undefined) {
    console.log(`NOT CHECKED: npm audit: ${report?.message ?? error?.message ?? "no report"}`);
    return [];
  }
  const distributed = new Set(installed.filter(([, { dev }]) => !dev).map(([path]) => nameOf(path)));
  return Object.values(report.vulnerabilities)
    .filter(
      ({ name, severity }) =>
        distributed.has(name) || bundled.has(name) || severity === "high" || severity === "critical",
    )
    .map(({ name, severity }) => `npm audit: ${name} (${severity}); run npm audit for details`);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
