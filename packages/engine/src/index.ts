import path from 'node:path';

export { printPdf } from './browser/print-pdf.ts';
export { type BrowserOutcome, type BrowserProblem, browserCures, type SandboxRule } from './browser-problem.ts';
export type { EgressEntry } from './egress.ts';
export type { Evidence, PentestFinding, ScanFinding } from './finding.ts';
export type { JudgedScan, ScanProgress } from './local-scan.ts';
export {
  type EngineCredential,
  FromEngine,
  type PentestOrder,
  type ScanOrder,
  type ToEngine,
} from './messages.ts';
export type { Network } from './network.ts';
export { namesOfRun } from './oracle/outside-names.ts';
export type { OutsideCall, OutsideOrder } from './outside-call.ts';
export { type OwnershipOrder, type OwnershipResult, proofPlaces } from './ownership.ts';
export { type Phase, phases } from './phase.ts';
export type { ScanResult } from './scan-result.ts';
export { ALGORITHM_VERSION, groupLimits } from './score.ts';
export { EngineScript } from './script.ts';
export { canonicalNetwork, parseAllowList } from './target/addresses.ts';
export { mostSpecific } from './target/most-specific.ts';
export { probeNameServers } from './target/probe-name-servers.ts';
export { contactedPlaces, scanPlaces } from './target/scan-places.ts';
export { readScanUrl } from './target/scan-url.ts';

/** When it is asked for: whoever only talks to an engine has no use for the checks. */
export const loadScanner = () => import('./local-scan.ts');

/** For the node that listens for the calls of targets. */
export const loadListener = () => import('./oracle/listener.ts');

/** The program of the engine's process. */
export const childProgram = path.join(import.meta.dirname, '../bin/engine.js');
