import { Button, FileButton, Group, Text } from '@mantine/core';
import { MAX_IMPORT_BYTES, type ManagedTarget } from '@sortie/contract';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { formatNumber, formatTime } from '../../look/format.ts';
import { Problem } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { useAccountId } from '../../shell/use-account.ts';

const MEGABYTE = 1_000_000;

/** The description of the target's API, which runs read for endpoints that no page links to. */
export function ApiDescription({ target, mayManage }: { target: ManagedTarget; mayManage: boolean }): ReactNode {
  const accountId = useAccountId();
  const { verificationId, imported } = target;
  const params = { accountId, verificationId };
  const [tooLarge, setTooLarge] = useState<string>();
  const give = useChange('importApi');
  const remove = useChange('removeApiImport');
  const error = give.error ?? remove.error;
  async function read(file: File | null) {
    if (!file) return;
    const isTooLarge = file.size > MAX_IMPORT_BYTES;
    setTooLarge(isTooLarge ? file.name : undefined);
    remove.reset();
    if (!isTooLarge) give.mutate({ params, body: { name: file.name, file: await file.text() } });
  }
  return (
    <Section title="API description">
      <Text size="sm" maw={700}>
        An OpenAPI or Swagger document, a GraphQL schema, a Postman collection or a HAR file of at most{' '}
        {MAX_IMPORT_BYTES / MEGABYTE} MB. Runs test the endpoints that it names, too. It is encrypted, and deleted after
        30 days.
      </Text>
      {imported && (
        <Text size="sm">
          {imported.name} ({imported.kind}, {formatNumber(imported.bytes)} bytes), imported{' '}
          {formatTime(imported.importedAt)}, deleted {formatTime(imported.deletionDueAt)}.
        </Text>
      )}
      {!imported && !mayManage && <Text size="sm">None has been imported.</Text>}
      {tooLarge !== undefined && (
        <Text size="sm" role="alert" c="var(--severity-high)">
          {tooLarge} is larger than {MAX_IMPORT_BYTES / MEGABYTE} MB. Choose a smaller file.
        </Text>
      )}
      {error && <Problem error={error} />}
      {mayManage && (
        <Group gap="sm">
          <FileButton
            onChange={read}
            accept=".json,.yaml,.yml,.har,.graphql,.gql,.txt"
            inputProps={{ 'aria-label': 'API description' }}
          >
            {(props) => (
              <Button {...props} variant="default" loading={give.isPending}>
                {imported ? 'Replace it' : 'Import a file'}
              </Button>
            )}
          </FileButton>
          {imported && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate({ params })}>
              Remove it
            </Button>
          )}
        </Group>
      )}
    </Section>
  );
}
