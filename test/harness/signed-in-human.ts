/** A human who is signed in by the environment variable WIREROOM_ID_TOKEN. */
import type { TestDaemon } from "./daemon.js";
import { Human } from "./human.js";

export class SignedInHuman extends Human {
  private constructor(
    daemon: TestDaemon,
    private readonly token: string,
  ) {
    super(() => daemon);
  }

  /** Creates the human who owns the handles that `daemon.createAgent(…, …, name)` creates. */
  static async create(daemon: TestDaemon, name: string): Promise<SignedInHuman> {
    return new SignedInHuman(
      daemon,
      await daemon.issuer.token({ claims: { sub: name, email: `${name}@example.com` } }),
    );
  }

  override get env() {
    return { ...super.env, WIREROOM_ID_TOKEN: this.token };
  }
}
