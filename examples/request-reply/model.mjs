/**
 * Asks a language model, through any API that speaks OpenAI's Chat Completions. Set OPENAI_BASE_URL,
 * OPENAI_API_KEY and MODEL.
 *
 * @param {string} instructions what the model shall do
 * @param {string} content what it is asked
 * @returns {Promise<string>} its answer
 */
export async function askModel(instructions, content) {
  const { OPENAI_BASE_URL = "https://api.openai.com/v1", OPENAI_API_KEY, MODEL = "gpt-5-mini" } = process.env;
  const messages = [
    { role: "system", content: instructions },
    { role: "user", content },
  ];
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${OPENAI_API_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ model: MODEL, messages }),
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${await response.text()}`);
  const { choices } = await response.json();
  return choices[0].message.content;
}
