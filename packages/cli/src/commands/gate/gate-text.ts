import type { Judgement, Untested } from '@sortie/sdk';
import { countsText, creditsText, findingsText, summaryText } from '../../pentest/pentest-text.ts';
import { orHigher } from '../../pentest/policy-text.ts';
import type { StartedRun } from '../../pentest/start-pentest.ts';
import type { Paint } from '../../terminal/paint.ts';
import { shown } from '../../terminal/text.ts';
import { EARLIER_RUNS, type TakenOut } from './policy-options.ts';

/** Returns whether waiting may still decide the gate; a run with untested groups is over. */
export const isOpen = (judgement: Judgement) =>
  judgement.kind === 'unsupported' || (judgement.kind === 'undecided' && judgement.reason !== 'untested');

export interface Told {
  started: StartedRun | undefined;
  takenOut: readonly TakenOut[];
  /** A run, a file or "earlier runs"; null if known findings count as well. */
  comparedWith: string | null;
}

export function gateDocument(judgement: Judgement, exitCode: number, { started, takenOut, comparedWith }: Told) {
  const { kind, pentest } = judgement;
  return {
    schema: 'sortie.gate/1',
    outcome: kind,
    exitCode,
    reason: reasonOf(judgement),
    runId: pentest.id,
    run: pentest,
    policy: 'policy' in judgement ? judgement.policy : null,
    findings: 'findings' in judgement ? judgement.findings : [],
    failing: 'failing' in judgement ? judgement.failing.map(({ id }) => id) : [],
    comparedWith,
    takenOut,
    untested: untestedIn(judgement),
    idempotencyKey: started?.idempotencyKey ?? null,
    reattached: started?.replayed ?? false,
    resume: isOpen(judgement) ? `npx sortie gate ${pentest.id}` : null,
  };
}

/** For a passed run, the accepted groups. */
const untestedIn = (judgement: Judgement): readonly Untested[] => ('untested' in judgement ? judgement.untested : []);

const groupsIn = (judgement: Judgement) => [...new Set(untestedIn(judgement).map(({ group }) => group))];

/** Returns the reason of the judgement in one sentence. */
export function reasonOf(judgement: Judgement): string {
  switch (judgement.kind) {
    case 'passed':
      return `${countsText(judgement.findings)}, no policy violations`;
    case 'failed':
      return `policy violated by ${countsText(judgement.failing)}`;
    case 'ended':
      return judgement.findings.length === 0
        ? `the run ended ${judgement.pentest.status} without findings`
        : `the run ended ${judgement.pentest.status}; its findings are partial and not reviewed`;
    case 'unsupported':
      return `run status ${judgement.status} is unknown to this version: upgrade, then resume`;
    case 'undecided':
      return judgement.reason === 'untested'
        ? `applicable checks could not run: ${groupsIn(judgement).join(', ')}`
        : undecidedReasons[judgement.reason](judgement.pentest.status);
  }
}

const undecidedReasons = {
  running: (status: string) =>
    status === 'QUEUED' ? 'the run has not started yet (QUEUED)' : `the run is still in progress (${status})`,
  'needs-dashboard': (status: string) =>
    `the run is ${status} and does not continue by itself: decide on its page in the dashboard`,
  'report-not-released': () =>
    'the run is completed, but its report is not released: still in review, or rejected (the API does not distinguish these)',
};

const heads: Record<Judgement['kind'], [mark: string, title: string, colour: 'good' | 'bad' | 'unsure']> = {
  passed: ['✓', 'Gate passed', 'good'],
  failed: ['✗', 'Gate failed', 'bad'],
  ended: ['✗', 'No verdict', 'bad'],
  undecided: ['?', 'Undecided (not a pass)', 'unsure'],
  unsupported: ['?', 'Undecided (not a pass)', 'unsure'],
};

interface GateWords extends Pick<Told, 'takenOut' | 'comparedWith'> {
  summary: string | null;
  /** The command that resumes the wait. */
  resume: string;
}

export function gateText(judgement: Judgement, paint: Paint, words: GateWords): string {
  const { summary, takenOut, comparedWith, resume } = words;
  const [mark, title, colour] = heads[judgement.kind];
  const { pentest } = judgement;
  return [
    `${paint[colour](`${mark} ${title}`)}: ${shown(reasonOf(judgement))}\n`,
    policyText(judgement, comparedWith),
    takenOutText(takenOut, comparedWith),
    historyText(judgement, comparedWith),
    untestedText(judgement),
    listText(judgement, paint),
    pentest.credits ? `  Credits ${creditsText(pentest.credits)}\n` : '',
    needsDecision(judgement) ? `  Page    npx sortie pentest view ${pentest.id} --web\n` : '',
    isOpen(judgement)
      ? `  Resume  ${resume}\n`
      : `  Report  npx sortie report ${pentest.id} --format html -o sortie.html\n`,
    judgement.kind === 'ended' ? '  Retry   npx sortie gate --start --new …\n' : '',
    judgement.kind === 'ended' ? summaryText(pentest, summary) : '',
  ].join('');
}

const needsDecision = (judgement: Judgement): boolean =>
  judgement.kind === 'undecided' && judgement.reason === 'needs-dashboard';

function policyText(judgement: Judgement, comparedWith: string | null): string {
  if (!('policy' in judgement)) return '';
  const { failOn, minConfidence, maxFindings, newOnly } = judgement.policy;
  const most = maxFindings === 0 ? '' : `, more than ${maxFindings} findings`;
  const compared = newOnly ? `, new since ${shown(comparedWith ?? '')}` : '';
  return `  Policy  ${orHigher(failOn)}, ${orHigher(minConfidence)}${compared}${most}\n`;
}

/** Explains why known findings count: services of earlier releases do not say which findings are new. */
function historyText(judgement: Judgement, comparedWith: string | null): string {
  if (!('policy' in judgement) || comparedWith !== EARLIER_RUNS) return '';
  const isTold = judgement.findings.every(({ history }: { history?: string }) => history !== undefined);
  return isTold ? '' : '  The service does not tell which findings are new: all count. Use --baseline-run RUN.\n';
}

/** Returns a line such as `Ignored 2 known, 1 accepted until 2027-01-01`. */
function takenOutText(takenOut: readonly TakenOut[], comparedWith: string | null): string {
  const numberOf = (those: TakenOut['by']) => takenOut.filter(({ by }) => by === those).length;
  const known = [
    ...told(numberOf('baseline'), 'known'),
    ...told(numberOf('baseline-run'), `known from ${shown(comparedWith ?? '')}`),
    ...told(numberOf('history'), 'open since an earlier run'),
  ];
  const ends = takenOut.flatMap(({ until }) => until ?? []).toSorted();
  const accepted = [...new Set(ends)].map(
    (until) => `${ends.filter((each) => each === until).length} accepted until ${until}`,
  );
  const parts = [...known, ...accepted];
  return parts.length === 0 ? '' : `  Ignored ${parts.join(', ')}\n`;
}

const told = (count: number, words: string) => (count > 0 ? [`${count} ${words}`] : []);

function untestedText(judgement: Judgement): string {
  const untested = untestedIn(judgement);
  if (untested.length === 0) return '';
  if (judgement.kind === 'passed') return `  Untested and accepted: ${shown(groupsIn(judgement).join(', '))}\n`;
  const lines = untested.map(({ group, reason, cure }) => `  ${shown(group)}: ${shown(reason)} ${shown(cure)}\n`);
  const accept = `npx sortie gate ${judgement.pentest.id} --accept-untested ${shown(groupsIn(judgement).join(','))}`;
  return `\nNot tested:\n${lines.join('')}\n  Accept  ${accept}\n`;
}

function listText(judgement: Judgement, paint: Paint): string {
  if (judgement.kind === 'failed') return `\n${findingsText(judgement.failing, paint)}\n`;
  if (judgement.kind !== 'ended' || judgement.findings.length === 0) return '';
  return `\nPartial findings, not reviewed:\n${findingsText(judgement.findings, paint)}\n`;
}
