import { Text } from '@mantine/core';
import type { Scan } from '@sortie/contract';
import { type ReactNode, useMemo } from 'react';
import { useAllPages } from '../../api/queries.ts';
import type { Column } from '../../list/columns.ts';
import { NothingYet } from '../../list/empty.tsx';
import { List } from '../../list/list.tsx';
import { formatTime } from '../../look/format.ts';
import { Page } from '../../look/page.tsx';
import { colorOf } from '../../look/score-color.ts';
import { UrlText } from '../../look/url-text.tsx';
import { useAccountId, useMay, useScreenPath } from '../../shell/use-account.ts';
import { FindingCountsLine } from '../runs/finding-counts.tsx';
import { StartScan } from './start-scan.tsx';

const gradeOf = ({ grade, status }: Scan) => grade ?? (status === 'COMPLETED' ? 'No result' : 'Scanning');

function columnsOf(screenPath: (screen: string) => string): readonly Column<Scan>[] {
  return [
    { id: 'url', title: 'URL', value: (scan) => scan.url, cell: (scan) => <UrlText url={scan.url} /> },
    {
      id: 'grade',
      title: 'Grade',
      value: gradeOf,
      cell: (scan) =>
        scan.score === null ? (
          gradeOf(scan)
        ) : (
          <Text inherit span fw={700} c={colorOf(scan.score)}>
            {gradeOf(scan)}
          </Text>
        ),
      isShort: true,
    },
    { id: 'score', title: 'Score', value: (scan) => scan.score, sortBy: (scan) => scan.score ?? -1, isNumber: true },
    {
      id: 'findings',
      title: 'Failed checks',
      value: ({ checks }) => checks?.failed ?? null,
      cell: (scan) =>
        scan.findingCounts ? (
          <FindingCountsLine counts={scan.findingCounts} listPath={screenPath(`scans/${scan.id}`)} />
        ) : (
          (scan.failure?.message ?? 'Not finished')
        ),
    },
    {
      id: 'created',
      title: 'Created',
      value: (scan) => scan.createdAt,
      cell: (scan) => formatTime(scan.createdAt),
      isShort: true,
      isWide: true,
    },
  ];
}

export function ScansPage(): ReactNode {
  const accountId = useAccountId();
  const screenPath = useScreenPath();
  const mayStart = useMay('scans:write');
  const scans = useAllPages('listScans', { accountId }, (answer) => answer.scans, {
    refetchInterval: (rows) => (rows?.some(({ status }) => status !== 'COMPLETED') ? 3_000 : 60_000),
  });
  const columns = useMemo(() => columnsOf(screenPath), [screenPath]);
  return (
    <Page title="Scans">
      {mayStart && <StartScan />}
      <List
        noun="scan"
        columns={columns}
        rows={scans}
        idOf={(scan) => scan.id}
        pathOf={(scan) => screenPath(`scans/${scan.id}`)}
        empty={
          <NothingYet icon="scan" title="No scans yet">
            A scan reads a site as a visitor would and scores its configuration: TLS, headers, cookies, DNS and more. It
            is free, harmless, and needs no verification. Enter a URL above.
          </NothingYet>
        }
      />
    </Page>
  );
}
