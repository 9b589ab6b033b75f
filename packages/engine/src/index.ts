import path from 'node:path';

export type { PentestFinding, ScanFinding } from './finding.ts';
export { FromEngine, type PentestOrder, type ScanOrder, type ToEngine } from './messages.ts';
export { type Phase, phases } from './phase.ts';
export type { ScanResult } from './scan-result.ts';
export { EngineScript } from './script.ts';

/** The program of the engine's process. */
export const childProgram = path.join(import.meta.dirname, 'child.ts');
