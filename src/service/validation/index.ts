export { type Candidate, ValidatorPool, type Verdict } from "./pool.js";
