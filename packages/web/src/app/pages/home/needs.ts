import type { AccountFinding, CreditsBalance, ManagedKey, ManagedTarget, Pentest } from '@sortie/contract';
import { counted, formatDay, formatNumber } from '../../look/format.ts';

const DAY_MS = 86_400_000;
const SOON_MS = 14 * DAY_MS;
const RECENT_MS = 7 * DAY_MS;
const NEARLY = 0.8;

/** Something that a person has to decide or to do. */
export interface Need {
  id: string;
  text: string;
  /** The screen where it is done, below the account. */
  to: string;
}

export interface Known {
  runs: readonly Pentest[];
  targets: readonly ManagedTarget[];
  keys: readonly ManagedKey[];
  findings: readonly AccountFinding[];
  balance: CreditsBalance | undefined;
  /** The price of the cheapest level. */
  cheapest: number | undefined;
  userId: string;
}

/** What needs the person, the most urgent first. */
export function needsOf(known: Known, now: number): Need[] {
  return [
    ...known.runs.flatMap((run) => ofRun(run, now)),
    ...ofFindings(known),
    ...known.targets.flatMap((target) => ofTarget(target, now)),
    ...known.keys.flatMap((key) => ofKey(key, now)),
    ...ofCredits(known, now),
  ];
}

const isSoon = (timestamp: string | null, now: number) => timestamp !== null && Date.parse(timestamp) - now < SOON_MS;

function ofRun({ id, status, targetUrl, completedAt }: Pentest, now: number): Need[] {
  const need = (text: string): Need[] => [{ id: `run ${id}`, text, to: `runs/${id}` }];
  if (status === 'PAUSED') return need(`The run on ${targetUrl} is paused, its credits are used. Decide what to do.`);
  if (status === 'AWAITING_PAYMENT') return need(`The run on ${targetUrl} waits for a payment. Decide what to do.`);
  const isRecent = completedAt !== null && now - Date.parse(completedAt) < RECENT_MS;
  return status === 'FAILED' && isRecent ? need(`The run on ${targetUrl} did not finish. See why.`) : [];
}

function ofFindings({ findings, userId }: Known): Need[] {
  const open = findings.filter(({ state }) => state === 'OPEN');
  const critical = open.filter(({ severity, assignee }) => severity === 'CRITICAL' && assignee === null).length;
  const own = open.filter(({ assignee }) => assignee?.userId === userId).length;
  return [
    ...(critical > 0
      ? [
          {
            id: 'critical',
            text: `${counted(critical, 'critical finding')} without an assignee`,
            to: 'findings?severity=CRITICAL&assignee=none',
          },
        ]
      : []),
    ...(own > 0
      ? [{ id: 'own', text: `${counted(own, 'open finding')} assigned to you`, to: 'findings?assignee=me' }]
      : []),
  ];
}

function ofTarget({ verificationId, origin, verified, expiresAt }: ManagedTarget, now: number): Need[] {
  const need = (text: string): Need[] => [{ id: `target ${verificationId}`, text, to: `targets/${verificationId}` }];
  if (!verified) {
    return need(expiresAt === null ? `Verify that ${origin} is yours.` : `The verification of ${origin} has expired.`);
  }
  return isSoon(expiresAt, now) && expiresAt !== null
    ? need(`The verification of ${origin} expires on ${formatDay(expiresAt)}. Check it again.`)
    : [];
}

function ofKey({ id, name, state, expiresAt, budget, usedThisMonth, isOwn }: ManagedKey, now: number): Need[] {
  if (state !== 'ACTIVE') return [];
  const need = (text: string): Need[] => [{ id: `key ${id}`, text, to: 'settings/keys' }];
  if (isOwn && isSoon(expiresAt, now) && expiresAt !== null) {
    return need(`The API key ${name} expires on ${formatDay(expiresAt)}. Roll it.`);
  }
  if (budget === null || usedThisMonth < NEARLY * budget.limit) return [];
  return need(
    `The API key ${name} has used ${formatNumber(usedThisMonth)} of ${counted(budget.limit, 'credit')} this month.`,
  );
}

function ofCredits({ balance, cheapest }: Known, now: number): Need[] {
  if (!balance) return [];
  const { available, nextExpiry } = balance;
  if (cheapest !== undefined && available < cheapest) {
    const text = `${counted(available, 'credit')} available: the cheapest level takes ${formatNumber(cheapest)}.`;
    return [{ id: 'credits', text, to: 'credits' }];
  }
  return nextExpiry && isSoon(nextExpiry.at, now)
    ? [
        {
          id: 'expiry',
          text: `${counted(nextExpiry.credits, 'credit')} expire on ${formatDay(nextExpiry.at)}.`,
          to: 'credits',
        },
      ]
    : [];
}
