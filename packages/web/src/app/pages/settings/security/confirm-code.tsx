import { Anchor, Box, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { callAuth } from '../../../api/auth.ts';
import { Copy } from '../../../look/copy.tsx';
import { Problem } from '../../../look/problem.tsx';
import { textsOf } from '../../sign-in/texts-of.ts';
import { QrCode } from './qr-code.tsx';
import { useAuthChange } from './use-auth.ts';

/** Shows the secret to an app, and checks that the app has it. */
export function ConfirmCode({ uri, onConfirmed }: { uri: string; onConfirmed(): void }): ReactNode {
  const confirm = useAuthChange((code: string) => callAuth('two-factor/verify-totp', { code }));
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const { code = '' } = textsOf(event.currentTarget);
        confirm.mutate(code.replaceAll(' ', ''), { onSuccess: onConfirmed });
      }}
    >
      <Stack>
        <Text size="sm">
          Scan this with the app,{' '}
          <Anchor href={uri} inherit>
            open it on this device
          </Anchor>
          , or enter the secret.
        </Text>
        <QrCode text={uri} label="QR code of the secret" />
        <Group gap="xs" wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
          <Box style={{ flexShrink: 0 }}>
            <Copy value={secret} label="Copy secret" />
          </Box>
        </Group>
        <TextInput
          name="code"
          label="Code"
          description="Six digits that the app shows"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          data-autofocus
        />
        {confirm.error && <Problem error={confirm.error} />}
        <Button type="submit" loading={confirm.isPending}>
          Turn on
        </Button>
      </Stack>
    </form>
  );
}
