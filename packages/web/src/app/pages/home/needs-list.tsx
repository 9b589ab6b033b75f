import { Button, List, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ScreenLink } from '../../shell/screen-link.tsx';
import type { Need } from './needs.ts';

const MOST_SHOWN = 8;

export function NeedsList({ needs }: { needs: readonly Need[] }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? needs : needs.slice(0, MOST_SHOWN);
  return (
    <Paper withBorder p="md" component="section" aria-label="Needs you">
      <Title order={2} size="h5" mb="sm">
        Needs you
      </Title>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing waits for you.
        </Text>
      )}
      <List size="sm" spacing={6} listStyleType="none">
        {shown.map(({ id, text, to }) => (
          <List.Item key={id}>
            <ScreenLink to={to}>{text}</ScreenLink>
          </List.Item>
        ))}
      </List>
      {needs.length > shown.length && (
        <Button size="compact-xs" variant="default" mt="xs" onClick={() => setWhole(true)}>
          {needs.length - shown.length} more
        </Button>
      )}
    </Paper>
  );
}
