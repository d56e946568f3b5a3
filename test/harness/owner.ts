/** A human who is signed in, in front of the command. */
import type { TestDaemon } from "./daemon.js";
import { Person } from "./person.js";

export class Owner extends Person {
  private constructor(
    daemon: TestDaemon,
    private readonly token: string,
  ) {
    super(() => daemon);
  }

  /** The human whom `daemon.agent(…, …, name)` makes the owner of a handle. */
  static async of(daemon: TestDaemon, name: string): Promise<Owner> {
    return new Owner(
      daemon,
      await daemon.issuer.token({ claims: { sub: name, email: `${name}@example.com` } }),
    );
  }

  override get env() {
    return { ...super.env, WIREROOM_ID_TOKEN: this.token };
  }
}
