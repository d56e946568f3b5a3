/** Returns the configuration with which Kimi Code CLI uses the model of the runner. */
export const kimiConfiguration = (modelUrl) => `default_model = "scripted"
telemetry = false

[providers.local]
type = "openai"
base_url = "${modelUrl}/v1"
api_key = "none"

[models.scripted]
provider = "local"
model = "scripted"
max_context_size = 200000
`;
