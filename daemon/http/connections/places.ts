/** Tracks the connections that may be closed in favour of a new one if there are too many. */

interface Connection {
  /** True while the request has not arrived completely. */
  readonly isReceiving: boolean;
  /** Closes this connection, because there are too many connections. */
  makeRoom(): void;
}

export class Places {
  /** Idle connections, which handle no request. The longest idle one is first. */
  private readonly idle = new Set<Connection>();
  /** Connections whose request body is still arriving, in the order in which the heads arrived. */
  private readonly receiving = new Set<Connection>();

  constructor(readonly areTooFew: () => boolean) {}

  setIdle(connection: Connection): void {
    this.remove(connection);
    this.idle.add(connection);
  }

  setReceiving(connection: Connection): void {
    this.remove(connection);
    this.receiving.add(connection);
  }

  remove(connection: Connection): void {
    this.idle.delete(connection);
    this.receiving.delete(connection);
  }

  /** Returns the longest idle connection, or else the one whose request has been incomplete longest. */
  longestInactive(): Connection | undefined {
    const [idle] = this.idle;
    if (idle) return idle;
    for (const connection of this.receiving) {
      if (connection.isReceiving) return connection;
      this.receiving.delete(connection);
    }
    return undefined;
  }
}
