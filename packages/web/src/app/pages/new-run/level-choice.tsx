import { Group, Radio, Table, Text } from '@mantine/core';
import type { Depth, LevelsResponse } from '@sortie/contract';
import type { ReactNode } from 'react';
import { counted, formatDuration, formatNumber } from '../../look/format.ts';
import { Section } from '../../look/section.tsx';
import { WideTable } from '../../look/wide-table.tsx';

export type Level = LevelsResponse['levels'][number];

/** What a level does at the target, besides what it costs. */
const deeds: Readonly<Record<Depth, { tests: string; changes: string }>> = {
  LEAD: { tests: 'Read requests only', changes: 'Nothing is created or changed' },
  STANDARD: { tests: 'Also writes as the test accounts', changes: 'Undoes and deletes what it creates' },
  DEEP: { tests: 'Also writes anonymously, and proofs by timing', changes: 'Undoes and deletes what it creates' },
  EXTENDED: { tests: 'As Deep, with more requests and places', changes: 'Undoes and deletes what it creates' },
  MAXIMUM: { tests: 'As Extended, with the largest budgets', changes: 'Undoes and deletes what it creates' },
};

interface LevelChoiceProps {
  levels: readonly Level[];
  level: Level;
  onChange(level: Level): void;
}

export function LevelChoice({ levels, level, onChange }: LevelChoiceProps): ReactNode {
  return (
    <Section title="Level">
      <Radio.Group
        aria-label="Level"
        value={level.depth}
        onChange={(depth) => {
          const chosen = levels.find((each) => each.depth === depth);
          if (chosen) onChange(chosen);
        }}
      >
        <Group align="stretch" gap="sm">
          {levels.map(({ depth, name, credits, expertReview }) => (
            <Radio.Card key={depth} value={depth} p="sm" w={{ base: '100%', xs: 190 }}>
              <Group wrap="nowrap" align="flex-start" gap="sm">
                <Radio.Indicator />
                <div>
                  <Text fw={650}>{name}</Text>
                  <Text size="sm">{counted(credits, 'credit')}</Text>
                  <Text size="xs" c="dimmed">
                    {expertReview ? 'With expert review' : 'Findings while it runs'}
                  </Text>
                </div>
              </Group>
            </Radio.Card>
          ))}
        </Group>
      </Radio.Group>
      <Comparison levels={levels} chosen={level} />
    </Section>
  );
}

const rows: readonly { title: string; value(level: Level): string }[] = [
  { title: 'Tests', value: ({ depth }) => deeds[depth]?.tests ?? '' },
  { title: 'At the target', value: ({ depth }) => deeds[depth]?.changes ?? '' },
  { title: 'Testing time', value: ({ maxMinutes }) => `at most ${formatDuration(maxMinutes * 60_000)}` },
  { title: 'Held for testing', value: ({ credits, reviewCredits }) => formatNumber(credits - reviewCredits) },
  {
    title: 'Held for review',
    value: ({ reviewCredits }) => (reviewCredits === 0 ? 'none' : formatNumber(reviewCredits)),
  },
  { title: 'Findings', value: ({ expertReview }) => (expertReview ? 'after the sign-off' : 'while it runs') },
  { title: 'Starts from', value: ({ api }) => (api ? 'API and dashboard' : 'dashboard only') },
];

function Comparison({ levels, chosen }: { levels: readonly Level[]; chosen: Level }): ReactNode {
  return (
    <details>
      <summary className="small">Compare the levels</summary>
      <WideTable minWidth={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th />
            {levels.map(({ depth, name }) => (
              <Table.Th key={depth} scope="col">
                {name}
                {depth === chosen.depth && ' (chosen)'}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ title, value }) => (
            <Table.Tr key={title}>
              <Table.Th scope="row">{title}</Table.Th>
              {levels.map((level) => (
                <Table.Td key={level.depth}>{value(level)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </details>
  );
}
