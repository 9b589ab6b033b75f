import { Card, Skeleton, Text } from '@mantine/core';
import type { Severity } from '@sortie/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '../look/format.ts';
import { useScreenPath } from './use-account.ts';

interface FigureProps {
  name: string;
  /** Undefined while it is read. */
  value: number | string | undefined;
  /** The screen of the rows that it counts, for example `runs?status=running`. */
  to: string;
  detail?: string;
  /** The color of a number above zero. */
  severity?: Severity;
}

/** A number that leads to the rows it counts. */
export function Figure({ name, value, to, detail, severity }: FigureProps): ReactNode {
  const [path = '', query = ''] = to.split('?');
  const search = Object.fromEntries(new URLSearchParams(query));
  return (
    <Card
      withBorder
      component={Link}
      to={useScreenPath()(path) as '/'}
      search={search as never}
      padding="md"
      className="figure"
    >
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      {value === undefined ? (
        <Skeleton height={31} width={50} my={4} />
      ) : (
        <span className="severity number" {...(value !== 0 && severity && { 'data-severity': severity })}>
          {typeof value === 'number' ? formatNumber(value) : value}
        </span>
      )}
      <Text size="xs" c="dimmed" mih="1.4em">
        {detail}
      </Text>
    </Card>
  );
}
