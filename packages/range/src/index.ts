import path from 'node:path';

export { answerKey } from './answer-key.ts';
export type { CheckClass, Depth } from './catalogue.ts';
export { decoys } from './decoys/decoys.ts';
export { type Decoy, type Flaw, type Place, placeOf, type Trap, twinOf } from './flaw.ts';
export { shiftedIds } from './ids.ts';
export { decoysForModels, type FlawForModels, flawsForModels } from './society/flaws.ts';
export { traps } from './traps/traps.ts';

/**
 * The program of the range. `--port N` (0 for any), `--verification TOKEN` (and each line on stdin replaces it), `--whole` for all areas instead of the
 * front of the shop only, `--shifted-ids` for a second version whose orders, customers and other things have other
 * ids, `--user UID:GID` for the user to run as, `--may-call 127.0.0.1:PORT` (repeatable) for the
 * servers that SSRF really reaches, and `--may-ask 127.0.0.1:PORT` for the name server that really resolves names.
 */
export const rangeProgram = path.join(import.meta.dirname, `main${path.extname(import.meta.filename)}`);
