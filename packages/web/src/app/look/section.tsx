import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a screen; links lead to it by its title in lower case, with hyphens. */
export function Section({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <Stack gap="sm" component="section" id={title.toLowerCase().replaceAll(' ', '-')}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
