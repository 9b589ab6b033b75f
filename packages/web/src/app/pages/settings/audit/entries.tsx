import { Code } from '@mantine/core';
import type { AuditLogEntry } from '@sortie/contract';
import type { ReactNode } from 'react';
import { toCsv } from '../../../list/csv.ts';
import { formatTime } from '../../../look/format.ts';
import { detailsText } from './details.ts';

function nameOf({ kind, userId, name }: AuditLogEntry['actor']): string {
  if (kind === 'operator') return 'Operator';
  if (kind === 'service') return 'This service';
  return name ?? `Former member ${userId}`;
}

const titles = ['When', 'Who', 'What', 'Of', 'Change'];

/** The entries that are shown, in the columns of the table. */
export const entriesAsCsv = (entries: readonly AuditLogEntry[]): string =>
  toCsv([
    titles,
    ...entries.map(({ at, actor, action, subject, details }) => [
      at,
      nameOf(actor),
      action,
      subject,
      detailsText(details),
    ]),
  ]);

export function Entries({ entries }: { entries: readonly AuditLogEntry[] }): ReactNode {
  return (
    <table className="list-table">
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, actor, action, subject, details }) => (
          <tr key={id}>
            <td data-short>{formatTime(at)}</td>
            <td data-title="Who">{nameOf(actor)}</td>
            <td data-title="What" data-short>
              <Code>{action}</Code>
            </td>
            <td data-title="Of" data-short>
              <span className="cut" title={subject ?? ''}>
                {subject}
              </span>
            </td>
            <td data-title="Change" data-long>
              {detailsText(details)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
