import { Badge, Group, Stack, Text } from '@mantine/core';
import type { PentestFindingDetails } from '@sortie/contract';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { formatTime } from '../../look/format.ts';
import { splitText, type TextSpan } from './split-text.ts';

type Exchange = PentestFindingDetails['evidence'][number];

interface EvidenceProps {
  exchanges: readonly Exchange[];
  deletedAt: string | null;
}

/** The requests and responses that prove the finding, in the order sent, with the proof marked. */
export function Evidence({ exchanges, deletedAt }: EvidenceProps): ReactNode {
  if (deletedAt !== null)
    return <Text size="sm">Deleted {formatTime(deletedAt)}: evidence is kept for a limited time.</Text>;
  if (exchanges.length === 0) return <Text size="sm">This finding has no recorded requests.</Text>;
  return (
    <Stack gap="lg">
      {exchanges.map((exchange, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: exchanges may be equal, and their order never changes.
        <ExchangeView key={index} exchange={exchange} number={index + 1} />
      ))}
    </Stack>
  );
}

function ExchangeView({ exchange, number }: { exchange: Exchange; number: number }): ReactNode {
  const { label, request, response, highlights, isControl, isDecisive, isCut } = exchange;
  return (
    <Stack gap="xs" component="article" aria-label={`Exchange ${number}: ${label}`}>
      <Group gap="xs">
        <Text fw={600} size="sm">
          {number}. {label}
        </Text>
        {isControl && (
          <Badge variant="default" tt="none">
            Control
          </Badge>
        )}
        {isDecisive && (
          <Badge variant="default" tt="none">
            Shows the finding
          </Badge>
        )}
        {isCut && (
          <Text size="xs" c="dimmed">
            Shortened
          </Text>
        )}
      </Group>
      <Stack gap="xs">
        <Message name="Request" text={request} spans={highlights.request} />
        <Message name="Response" text={response} spans={highlights.response} />
      </Stack>
    </Stack>
  );
}

function Message({ name, text, spans }: { name: string; text: string; spans: readonly TextSpan[] }): ReactNode {
  const box = useRef<HTMLPreElement>(null);
  // A long page would hide what it proves.
  useLayoutEffect(() => {
    const mark = box.current?.querySelector('mark');
    if (box.current && mark) box.current.scrollTop = mark.offsetTop - box.current.clientHeight / 3;
  }, []);
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {name}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long message is scrolled by keyboard, too. */}
      <pre className="message-text exchange" tabIndex={0} ref={box}>
        {splitText(text, spans).map(({ start, part, isMarked }) =>
          isMarked ? <mark key={start}>{part}</mark> : <span key={start}>{part}</span>,
        )}
      </pre>
    </div>
  );
}
