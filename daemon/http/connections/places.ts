/** The connections that give way to a new one if there are too many. */

interface Connection {
  /** Whether its client has not sent the whole request yet. */
  readonly isReceiving: boolean;
  /** Closes the connection, because there are too many. */
  makeRoom(): void;
}

export class Places {
  /** Connections without a request that is being handled, in the order in which they became idle. */
  private readonly idle = new Set<Connection>();
  /** Connections whose last request was incomplete when its head arrived, in the order of these heads. */
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

  /**
   * Returns the connection that has been idle for the longest time, or else the one whose request has been
   * incomplete for the longest.
   */
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
