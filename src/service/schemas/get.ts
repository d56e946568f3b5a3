import { WireroomError } from "../../contract/errors.js";
import { schemaByRef } from "../../store/schemas.js";
import { read } from "../pipeline/handler.js";

export const getSchema = read("schemas.get", async (_ctx, input, session) => {
  const schema = await schemaByRef(session, input.ref);
  if (!schema) throw new WireroomError("NOT_FOUND", `there is no schema ${input.ref}`);
  return schema.resource;
});
