import type { Coverage } from '@sortie/sdk';
import { shown, table } from './text.ts';

/** Returns a table of the groups of checks, and below it the reasons why some are not tested everywhere. */
export function coverageText({ groups, requests, omittedRequests }: Coverage): string {
  const rows = groups.map(({ group, status, tested, partlyTested, notTested }) => {
    return [group, words(status), tested, partlyTested, notTested];
  });
  const reasons = Map.groupBy(
    groups.flatMap(({ group, reasons }) => reasons.map((each) => ({ group, ...each }))),
    ({ reason, cure }) => `${reason} ${cure}`,
  );
  const number = requests.length + omittedRequests;
  return [
    `Coverage of ${number} ${number === 1 ? 'request' : 'requests'}, counted per account\n`,
    table(['group', 'status', 'tested', 'partly', 'not tested'], rows, 'no checks'),
    ...[...reasons].map(([reason, each]) => `${each.map(({ group }) => shown(group)).join(', ')}: ${shown(reason)}\n`),
  ].join('');
}

const words = (status: string) => status.toLowerCase().replaceAll('_', ' ');
