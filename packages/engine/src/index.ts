import path from 'node:path';

export { LOCKOUT_CHECKS } from './active/lockout-checks.ts';
export { printPdf } from './browser/print-pdf.ts';
export { namesOfRun } from './oracle/outside-names.ts';
export { ALGORITHM_VERSION, groupLimits } from './passive/score.ts';
export type { ReplayResult } from './pentest/replay.ts';
export { changesIn } from './pentest/run/changes.ts';
export { coverageIn } from './pentest/run/coverage.ts';
export { secretsIn, secretsToldIn } from './pentest/run/description-secrets.ts';
export { retestedIn } from './pentest/run/retested.ts';
export type { Activity, Rewritten, ToolUse } from './protocol/activity.ts';
export {
  type BrowserOutcome,
  type BrowserProblem,
  browserCures,
  NETWORK_CURE,
  type SandboxRule,
} from './protocol/browser-problem.ts';
export type { OutsideCall, OutsideOrder } from './protocol/callback.ts';
export { type Diagnostic, diagnosticEvents } from './protocol/diagnostic.ts';
export type { EgressEntry } from './protocol/egress-entry.ts';
export { EngineScript } from './protocol/engine-script.ts';
export type { CoverageKey, Evidence, PentestFinding, Remasked, ScanFinding } from './protocol/finding.ts';
export type { LoginTryResult } from './protocol/login-messages.ts';
export {
  type EngineCredential,
  FromEngine,
  type LoginOrder,
  MOST_RETESTS,
  type PentestOrder,
  type ReplayTask,
  type ScanOrder,
  type ToEngine,
} from './protocol/messages.ts';
export {
  type AskMessage,
  type ModelAnswer,
  type ModelAnswered,
  type ModelMessage,
  type ModelRefused,
  type ModelRequest,
  type ModelTool,
  modelLimits,
  type Planner,
  type ToolCall,
} from './protocol/model-call.ts';
export type { Network } from './protocol/network-settings.ts';
export { type OwnershipOrder, type OwnershipResult, proofPlaces } from './protocol/ownership-messages.ts';
export { type Phase, phases } from './protocol/phase.ts';
export type { ScanResult } from './protocol/scan-result.ts';
export type { JudgedScan, ScanProgress } from './scan/local-scan.ts';
export { canonicalNetwork, parseAllowList } from './target/addresses.ts';
export { covers } from './target/coverage.ts';
export { probeNameServers } from './target/dns/probe-name-servers.ts';
export { mostSpecific } from './target/most-specific.ts';
export { contactedPlaces, routeScan } from './target/scan-places.ts';
export { readScanUrl } from './target/scan-url.ts';

/** Loaded on demand: code that only talks to an engine needs no checks. */
export const loadScanner = () => import('./scan/local-scan.ts');

/** For repeating the proof of one finding. */
export const loadReplayer = () => import('./pentest/replay.ts');

/** For the node that listens for the calls of targets. */
export const loadListener = () => import('./oracle/listener.ts');

/** The program of the engine's process. */
export const childProgram = path.join(import.meta.dirname, '../bin/engine.js');
