/**
 * Reasons why queries of the suite `websearch` have other results than in PostgreSQL 15, by the query's id.
 */
export const WEB_SEARCH_EXCEPTIONS: Readonly<Record<string, string>> = {
  q039: "a stop word counts within a compound: `OR_abc` is not `abc`",
  q135: "the parts of a path are words: `c` is in `gist.h.c`",
  q136: "the parts of a host name are words: `net` is in `stack.net`",
  q141: "the parts of a version are words: `4.2` is in `4.2.1`",
  q147: "a URL is found by a part of it: `example.com/runbook` is in `example.com/runbook?id=7`",
  q149: "the parts of a path are words: `syslog` is in `/var/log/syslog`",
};
