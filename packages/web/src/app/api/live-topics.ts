import type { LiveChange, LiveTopic } from '@sortie/contract';
import type { CallName } from './call.ts';

const ofRun = [
  'getPentest',
  'getPentestSummary',
  'listPentestFindings',
  'getRunProgress',
  'getRunCoverage',
  'getRunActivity',
] as const satisfies CallName[];

/** What has to be read again when something has changed. */
const concerned: Readonly<Record<Exclude<LiveTopic, 'access'>, readonly CallName[]>> = {
  runs: [
    ...ofRun,
    'getRunStatement',
    'listPentests',
    'listRejectedRuns',
    'getGettingStarted',
    'listAccountFindings',
    'getFindingRecord',
    'listManagedTargets',
    'getManagedTarget',
  ],
  progress: ofRun,
  scans: ['getGettingStarted', 'listScans', 'getScan', 'listScanFindings'],
  findings: ['listAccountFindings', 'getFindingRecord', 'getRetest'],
  targets: [
    'getGettingStarted',
    'listTargets',
    'getTarget',
    'listManagedTargets',
    'getManagedTarget',
    'listTargetChecks',
  ],
  credits: ['getCreditsBalance', 'getCreditsUsage', 'getPentest', 'listPentests', 'listKeys', 'listMembers'],
  keys: ['listKeys', 'getGettingStarted'],
  members: ['listMembers', 'listInvitations', 'getMe'],
};

/** Whether an answer that the page keeps may be another one now. */
export function isConcerned([name, params]: readonly unknown[], changes: readonly LiveChange[]): boolean {
  return changes.some(({ topic, id }) => {
    if (topic === 'access') return true;
    if (!concerned[topic]?.includes(name as CallName)) return false;
    const { id: ownId, runId, verificationId } = (params ?? {}) as Record<string, string | undefined>;
    const own = ownId ?? runId ?? verificationId;
    return id === null || own === undefined || own === id;
  });
}
