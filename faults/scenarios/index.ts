import type { Scenario } from "../scenario.js";
import { clock } from "./clock.js";
import { copies } from "./copies.js";
import { corruption } from "./corruption.js";
import { silentClients, visitors } from "./crowd.js";
import { diskFull } from "./disk-full.js";
import { ioErrors } from "./io-errors.js";
import { kill } from "./kill.js";
import { halfOpen, stopped } from "./paused.js";
import { copiesToPostgres } from "./postgres/copies.js";
import { postgres } from "./postgres/crash.js";
import { failover } from "./postgres/failover.js";
import { pooler } from "./postgres/pooler.js";
import { powerCut } from "./power-cut.js";
import { readOnly } from "./read-only.js";
import { retention } from "./retention.js";
import { memory, openFiles } from "./starved.js";
import { upgrades } from "./upgrades.js";
import { watch } from "./watch.js";

export const scenarios: readonly Scenario[] = [
  kill,
  powerCut,
  diskFull,
  readOnly,
  openFiles,
  memory,
  clock,
  retention,
  stopped,
  halfOpen,
  silentClients,
  visitors,
  ioErrors,
  corruption,
  copies,
  copiesToPostgres,
  upgrades,
  postgres,
  failover,
  pooler,
  watch,
];
