import { type AccountFinding, findingHistories, findingStates, severities } from '@sortie/contract';
import { type Column, type Filter, rankIn } from '../../list/columns.ts';
import { formatDay } from '../../look/format.ts';
import { inWords } from '../../look/severity.tsx';
import { confidenceColumn, severityColumn, titleColumn } from './finding-columns.tsx';
import { describeState, historyWords, stateWords } from './state-words.ts';

export const columns: readonly Column<AccountFinding>[] = [
  titleColumn,
  severityColumn,
  { ...confidenceColumn, isWide: true },
  {
    id: 'state',
    title: 'State',
    value: describeState,
    sortBy: ({ state }) => rankIn(findingStates, state),
  },
  { id: 'url', title: 'URL', value: ({ affectedUrl, targetUrl }) => affectedUrl ?? targetUrl, isLong: true },
  {
    id: 'history',
    title: 'History',
    value: ({ history }) => historyWords[history] ?? history,
    isWide: true,
  },
  { id: 'assignee', title: 'Assignee', value: ({ assignee }) => assignee?.name ?? null, isWide: true },
  {
    id: 'seen',
    title: 'Last seen',
    value: ({ lastSeenAt }) => lastSeenAt,
    cell: ({ lastSeenAt }) => formatDay(lastSeenAt),
    isShort: true,
    isWide: true,
  },
];

/** The filters of the list. Those of targets and people have the choices that occur. */
export function filtersFor(rows: readonly AccountFinding[], userId: string): readonly Filter<AccountFinding>[] {
  const targets = [...new Set(rows.map(siteOf))].sort();
  return [
    {
      id: 'state',
      label: 'State',
      choices: findingStates.map((value) => ({ value, label: stateWords[value] })),
      initial: 'OPEN',
      matches: ({ state }, value) => state === value,
    },
    {
      id: 'severity',
      label: 'Severity',
      choices: severities.map(inWords),
      matches: ({ severity }, value) => severity === value,
    },
    {
      id: 'history',
      label: 'History',
      choices: findingHistories.map((value) => ({ value, label: historyWords[value] ?? value })),
      matches: ({ history }, value) => history === value,
    },
    {
      id: 'target',
      label: 'Target',
      choices: targets.map((value) => ({ value, label: value })),
      matches: (finding, value) => siteOf(finding) === value,
    },
    {
      id: 'assignee',
      label: 'Assignee',
      choices: [
        { value: 'me', label: 'Me' },
        { value: 'none', label: 'Not assigned' },
      ],
      matches: ({ assignee }, value) => (value === 'me' ? assignee?.userId === userId : assignee === null),
    },
  ];
}

const siteOf = ({ targetUrl }: AccountFinding) => URL.parse(targetUrl)?.origin ?? targetUrl;
