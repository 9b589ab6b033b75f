import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { useStartKey } from '../../api/use-start-key.ts';
import { Problem } from '../../look/problem.tsx';
import { useAccountId, useMe, useScreenPath } from '../../shell/use-account.ts';

export function StartScan(): ReactNode {
  const accountId = useAccountId();
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const { demoTarget } = useMe().service;
  const [url, setUrl] = useState('');
  const start = useChange('startScan');
  const idempotencyKey = useStartKey(url);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate(
          { params: { accountId }, body: { url }, idempotencyKey },
          { onSuccess: ({ id }) => navigate({ href: screenPath(`scans/${id}`) }) },
        );
      }}
    >
      <Stack gap="xs">
        <Group align="flex-end" gap="sm">
          <TextInput
            label="URL to scan"
            placeholder="https://www.example.com/"
            required
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            style={{ flexGrow: 1 }}
            maw={480}
          />
          <Button type="submit" loading={start.isPending}>
            Start scan (free)
          </Button>
        </Group>
        {demoTarget !== null && url === '' && (
          <Group gap="xs">
            <Text size="sm">No site at hand?</Text>
            <Button variant="default" size="compact-sm" onClick={() => setUrl(`${demoTarget}/`)}>
              Use the demo target
            </Button>
          </Group>
        )}
        {start.error && <Problem error={start.error} />}
      </Stack>
    </form>
  );
}
