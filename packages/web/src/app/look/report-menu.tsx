import { Button, Menu, Text } from '@mantine/core';
import { type ReportFormat, reportFormats } from '@sortie/contract';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

const words: Readonly<Record<ReportFormat, { label: string; detail: string }>> = {
  html: { label: 'HTML', detail: 'one file, for people' },
  pdf: { label: 'PDF', detail: 'to print and to send' },
  markdown: { label: 'Markdown', detail: 'for tickets' },
  csv: { label: 'CSV', detail: 'a row for each finding' },
  json: { label: 'JSON', detail: 'everything' },
  sarif: { label: 'SARIF', detail: 'code scanning' },
  junit: { label: 'JUnit', detail: 'test results of a pipeline' },
  'gitlab-dast': { label: 'GitLab DAST', detail: 'security report of GitLab' },
  defectdojo: { label: 'DefectDojo', detail: 'generic findings import' },
};

/** Downloads the report. The address of each file can be kept: it asks for the sign-in. */
export function ReportMenu({ addressOf }: { addressOf(format: ReportFormat): string }): ReactNode {
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" />}>
          Report
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {reportFormats.map((format) => (
          <Menu.Item key={format} component="a" href={addressOf(format)} download>
            {words[format].label}{' '}
            <Text span size="xs" c="dimmed">
              {words[format].detail}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
