/** All texts of the console, in English. A second language is a second object of the same type. */
import { common } from "./common.js";
import { start } from "./start.js";
import { wire } from "./wire.js";

export const texts = { ...common, start, wire } as const;
