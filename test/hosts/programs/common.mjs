/**
 * What all programs share. A program connects one client to Wireroom, and lets a model call the tools until
 * it says no more.
 */
const { MCP_URL, MODEL_URL, API_KEY, COMMAND, WORK } = process.env;

/** `apiKey` is empty if the client must connect by OAuth. */
export const settings = {
  mcpUrl: MCP_URL,
  modelUrl: MODEL_URL,
  apiKey: API_KEY,
  command: COMMAND,
  work: WORK,
};

export const headers = API_KEY ? { Authorization: `Bearer ${API_KEY}` } : {};

export const PROMPT = "Read my Wireroom inbox.";

/** How often a framework may ask its model. */
export const MAX_TURNS = 30;

/** Tells the runner what the client has found, besides what the model sees. */
export function report(findings) {
  console.log(`REPORT ${JSON.stringify(findings)}`);
}

/** Counts what a client lists. A client that fails is reported with its message. */
export async function countOf(list) {
  try {
    return (await list()).length;
  } catch (error) {
    return `${error}`;
  }
}

/**
 * Lets the model of the runner choose the calls, for a client library that has no agent.
 * @param tools tools with a name and a description
 * @param call returns the result of a call in the form in which the library returns it
 */
export async function runPlainAgent(tools, call) {
  const results = [];
  for (;;) {
    const response = await fetch(`${MODEL_URL}/plain`, {
      method: "POST",
      body: JSON.stringify({ tools, results }),
    });
    const answer = await response.json();
    if (!answer.call) return;
    results.push(await call(answer.call).catch((error) => ({ thrown: `${error}` })));
  }
}

/**
 * Connects with the API key, or else by OAuth as an application does: the first attempt leads to the
 * authorization page, and the second one has a token.
 * @param connect gets the OAuth provider, if there is one
 * @param finish redeems the code in the parameters of the redirect, with the function of the library
 */
export async function connectWith(connect, finish) {
  if (API_KEY) return connect(undefined);
  const provider = new MemoryOAuthProvider();
  try {
    return await connect(provider);
  } catch (error) {
    if (!provider.approved) throw error;
    await finish(provider, await provider.approved);
    return connect(provider);
  }
}

/**
 * Lets the human of the runner approve at the authorization page. Returns the parameters with which the
 * browser comes back.
 */
async function approve(url, state) {
  const response = await fetch(`${MODEL_URL}/human`, {
    method: "POST",
    body: JSON.stringify({ url: String(url) }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`the human could not approve: ${body.error.message}`);
  const { searchParams } = new URL(body.url);
  if (searchParams.get("state") !== state) throw new Error(`the state has changed: ${body.url}`);
  return searchParams;
}

/** An `OAuthClientProvider` of the official clients that keeps everything in memory. */
export class MemoryOAuthProvider {
  redirectUrl = "http://127.0.0.1:9/callback";
  clientMetadata = {
    client_name: "A test of hosts",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  /** Resolves to the parameters of the redirect. Undefined until the client asks for an approval. */
  approved;
  #state = crypto.randomUUID();
  #values = {};

  state = () => this.#state;
  storedState = () => this.#state;
  clientInformation = () => this.#values.client;
  saveClientInformation(client) {
    this.#values.client = client;
  }
  tokens = () => this.#values.tokens;
  saveTokens(tokens) {
    this.#values.tokens = tokens;
  }
  codeVerifier = () => this.#values.verifier;
  saveCodeVerifier(verifier) {
    this.#values.verifier = verifier;
  }
  redirectToAuthorization(url) {
    this.approved = approve(url, this.#state);
    // The error is thrown where the result is awaited, after the client has given up.
    this.approved.catch(() => {});
  }
}
