import { Text } from '@mantine/core';
import type { StartRun } from '@sortie/contract';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../look/code-block.tsx';
import { Section } from '../../look/section.tsx';

interface ApiEquivalentProps {
  request: StartRun;
  hasAccounts: boolean;
}

/** The same start for a pipeline. Test accounts stay out of it: commands end up in logs. */
export function ApiEquivalent({ request, hasAccounts }: ApiEquivalentProps): ReactNode {
  const { targetUrl, verificationId, depth = 'LEAD' } = request;
  const body = JSON.stringify({ targetUrl, verificationId, depth });
  const curl = [
    `curl -X POST ${location.origin}/v1/pentests`,
    `-H "Authorization: Bearer $SORTIE_API_KEY"`,
    `-H "Idempotency-Key: $(uuidgen)"`,
    "-H 'Content-Type: application/json'",
    `-d ${quoted(body)}`,
  ].join(' \\\n  ');
  const cli = `npx sortie gate --start --target ${quoted(targetUrl)} --verification ${quoted(verificationId)} --depth ${depth.toLowerCase()}`;
  return (
    <Section title="The same for a pipeline">
      {hasAccounts && (
        <Text size="sm">Without the test accounts: pass them as a file or a secret of the pipeline.</Text>
      )}
      {[curl, cli].map((command) => (
        <CodeBlock key={command} text={command} />
      ))}
    </Section>
  );
}

/** As one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
