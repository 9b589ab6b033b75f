import { Button, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { Problem } from '../../look/problem.tsx';
import { Frame } from '../sign-in/frame.tsx';
import { Decision } from './decision.tsx';

/** A person decides about a program that asks for an API key, such as `sortie login`. */
export function DevicePage(): ReactNode {
  const [code, setCode] = useState('');
  const [outcome, setOutcome] = useState<'approved' | 'denied'>();
  const found = useMutation({
    mutationFn: () => call('readDeviceLogin', { params: {}, body: { userCode: code } }),
    gcTime: 0,
  });
  if (outcome) {
    return (
      <Frame title={outcome === 'approved' ? 'Approved' : 'Denied'}>
        <Text>
          {outcome === 'approved'
            ? 'The program fetches its key within seconds. You can close this page. The key is listed under Settings, API keys.'
            : 'The program gets no key. You can close this page.'}
        </Text>
      </Frame>
    );
  }
  if (found.data) return <Decision code={code} program={found.data} onDecided={setOutcome} />;
  return (
    <Frame title="Connect a program">
      <Text size="sm">Enter the code that the program shows, such as “sortie login” in a terminal.</Text>
      {found.error && <Problem error={found.error} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          found.mutate();
        }}
      >
        <TextInput
          label="Code"
          placeholder="XXXX-XXXX"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          autoFocus
          maxLength={40}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" mt="md" fullWidth loading={found.isPending}>
          Continue
        </Button>
      </form>
    </Frame>
  );
}
