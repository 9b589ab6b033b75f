import { Alert, Box, Button, Checkbox, Code, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeBlock } from '../../../look/code-block.tsx';
import { Copy } from '../../../look/copy.tsx';
import { useMe } from '../../../shell/use-account.ts';

/** The text of a new key, once, and how to use it. */
export function KeySecret({ secret, onClose }: { secret: string; onClose(): void }): ReactNode {
  const [isStored, setStored] = useState(false);
  return (
    <Stack gap="md">
      <Alert color="indigo" variant="outline" title="The key is shown only now" c="inherit">
        <Text size="sm">Store it where your pipeline keeps its secrets. If it gets lost, roll the key.</Text>
      </Alert>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code block data-secret style={{ flexGrow: 1, minWidth: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {secret}
        </Code>
        <Box style={{ flexShrink: 0 }}>
          <Copy value={secret} label="Copy key" />
        </Box>
      </Group>
      <HowToUse />
      <Checkbox label="I stored it" checked={isStored} onChange={(event) => setStored(event.currentTarget.checked)} />
      <Button disabled={!isStored} onClick={onClose}>
        Done
      </Button>
    </Stack>
  );
}

/** With a placeholder: what is copied from here ends up in histories of shells. */
function HowToUse(): ReactNode {
  const { environment } = useMe().service;
  const commands = [
    `export SORTIE_API_KEY=srt_${environment}_…`,
    `curl -H "Authorization: Bearer $SORTIE_API_KEY" ${location.origin}/v1/key`,
  ].join('\n');
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">Use it in a shell; the second line tells what the key may do:</Text>
      <CodeBlock text={commands} label="Copy commands" />
    </Stack>
  );
}
