import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface WideTableProps {
  /** Pixels; where there are fewer, the table scrolls in its own box. */
  minWidth: number;
  'aria-label'?: string;
  children: ReactNode;
}

/** A table that scrolls sideways on a phone, by keyboard, too. */
export function WideTable({ minWidth, children, ...labels }: WideTableProps): ReactNode {
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0}>
      <Table {...labels}>{children}</Table>
    </Table.ScrollContainer>
  );
}
