/** Requirements of docs/specification/running.md, by the anchor of their section and by their id. */
export const runningRequirements = {
  settings: {
    "D12-variables": "Every flag has an environment variable, and a flag wins over it.",
    "D12-host-port":
      "The daemon listens on 127.0.0.1:4747 by default; port 0 takes any free one; a port to which fetch does not connect is refused.",
    "D12-data-dir": "The data folder is that of the platform by default.",
    "D12-database-url": "The database is sqlite:{data-dir}/wireroom.db by default.",
    "D12-codes-in-log": "Without `--smtp-url`, confirmation codes go to the log.",
    "D12-limit": "`--limit NAME=N` is repeatable, and WIREROOM_LIMITS is a list of NAME=N.",
    "D12-limit-none": "`NAME=none` lifts a limit.",
    "D12-client-secret":
      "The secret of the client at the external provider is set by a variable alone, and shown nowhere.",
    "D12-trusted-proxies":
      "X-Forwarded-For is read only from trusted proxies: the source is the right-most address that is not one.",
    "D12-no-password-grant": "`--no-password-grant` turns the password grant off; login then uses a browser.",
    "D12-log-level": "The log level is info by default.",
  },
  start: {
    "D12-foreground": "`wireroom daemon` runs in the foreground.",
    "D12-ready-line": "Once it serves, the daemon prints one line with event, base_url, mcp_url and listen.",
    "D12-senseless-setting":
      "A setting that makes no sense ends the daemon with one line on standard error and exit code 1.",
    "D12-port-in-use":
      "A port that is in use ends the daemon with one line on standard error and exit code 1.",
    "D12-data-folder":
      "A data folder that cannot be written ends the daemon with one line on standard error and exit code 1.",
    "D12-lost-database":
      "A SQLite file that is missing or empty, although other files show that it had data, ends the start with one line and exit code 1.",
    "D12-damaged-database":
      "A damaged database ends the start with one line that names the file and how to restore a backup, and exit code 1.",
    "D12-foreign-file":
      "A file of another program, or garbage in a lock file, ends the start with one line that names the file, and stays as it was.",
    "D12-one-daemon":
      "A second daemon on a data folder ends with one line on standard error and exit code 1.",
    "D12-ready-first": "The daemon accepts connections only when it is ready.",
  },
  stop: {
    "D12-stop": "SIGTERM and SIGINT finish the requests under way, close the database, and exit with 0.",
    "D12-stop-in-time": "Requests under way have at most 10 s.",
  },
  durability: {
    "D12-durable": "What was answered with 200 or 201 survives kill -9.",
    "D12-lost-commits":
      "If commits are missing with the write-ahead log, a start logs how much, and doctor and store check report it.",
    "D12-disk-failure":
      "After an I/O error of a sync or of a write to the database file, the daemon logs it, writes nothing more and exits with 1.",
    "D12-open-files":
      "Connections leave enough open files to the daemon: idle ones are closed before they use them up.",
    "D12-damaged-json": "A stored wire that is no longer valid JSON is 500 and logged, and is never sent.",
  },
  "endpoints-without-a-credential": {
    "D12-healthz": "GET /healthz answers 200 while the process lives.",
    "D12-readyz": "GET /readyz answers 200 while the database can be read and written, and 503 otherwise.",
    "D12-metrics": "GET /metrics returns metrics in the Prometheus text format.",
    "D12-openapi": "GET /v1/openapi.json returns the OpenAPI 3.1 document.",
  },
  "cross-origin-requests": {
    "D12-cors":
      "`--cors-origin` allows the pages of an origin every method and header of the API, without credentials, and no other origin.",
    "D12-cors-errors": "Errors carry the CORS headers, and pages can read the documented response headers.",
    "D12-cors-api-only": "The origins have no access to anything but /v1 and /mcp.",
  },
  logs: {
    "D12-logs": "Logs go to standard error as JSON lines.",
    "D12-log-failure":
      "A log that cannot be written or rotated neither ends the daemon nor keeps it from serving or stopping.",
    "D12-security-log": "Sign-ins, wrong passwords and new passwords are logged with account and source.",
  },
} as const;
