import path from 'node:path';

export { answerKey, type Flaw } from './answer-key.ts';

/** The program of the range: `--port N` (0 for any), and optionally `--verification TOKEN`. */
export const rangeProgram = path.join(import.meta.dirname, 'main.ts');
