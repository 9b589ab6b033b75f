import { Button, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { Problem } from '../../look/problem.tsx';
import { useAccountId } from '../../shell/use-account.ts';

const methods = [
  { value: 'dns', label: 'DNS record', description: 'Covers the name with all subdomains and ports.' },
  { value: 'file', label: 'File on the server', description: 'Covers this scheme, host and port.' },
  { value: 'meta', label: 'Meta tag in the start page', description: 'Covers this scheme, host and port.' },
] as const;

type Method = (typeof methods)[number]['value'];

interface AddTargetProps {
  onClose(): void;
  onAdded(verificationId: string): void;
}

/** The first step of the verification: what is the target, and how is its ownership proved. */
export function AddTarget({ onClose, onAdded }: AddTargetProps): ReactNode {
  const accountId = useAccountId();
  const [url, setUrl] = useState('');
  const [method, setMethod] = useState<Method>('file');
  const add = useChange('addTarget');
  return (
    <Modal opened onClose={onClose} title="Add a target" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const added = { onSuccess: ({ verificationId }: { verificationId: string }) => onAdded(verificationId) };
          add.mutate({ params: { accountId }, body: { url, method } }, added);
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Host or URL"
            placeholder="https://app.example.com"
            required
            data-autofocus
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <Radio.Group
            label="Proof of ownership"
            value={method}
            onChange={(value) => setMethod(methods.find((each) => each.value === value)?.value ?? 'file')}
          >
            <Stack gap="xs" mt="xs">
              {methods.map((each) => (
                <Radio key={each.value} {...each} />
              ))}
            </Stack>
          </Radio.Group>
          {add.error && <Problem error={add.error} />}
          <Button type="submit" loading={add.isPending}>
            Add target
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
