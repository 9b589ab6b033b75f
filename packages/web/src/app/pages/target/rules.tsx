import { Button, Group, NumberInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { ManagedTarget } from '@sortie/contract';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { Facts } from '../../look/facts.tsx';
import { Problem } from '../../look/problem.tsx';
import { Section } from '../../look/section.tsx';
import { useAccountId } from '../../shell/use-account.ts';

interface RulesProps {
  target: ManagedTarget;
  mayManage: boolean;
}

/** The rules of engagement: what no test requests, how fast, and when. */
export function Rules({ target, mayManage }: RulesProps): ReactNode {
  return (
    <Section title="Rules of engagement">
      <Text size="sm" maw={700}>
        They bind every pentest of this target. A run in progress keeps the rules that its attempt began with.
      </Text>
      {mayManage ? <RulesForm target={target} /> : <Facts facts={factsOf(target)} />}
    </Section>
  );
}

function factsOf({ rules: { excludedPaths, requestsPerSecond, window } }: ManagedTarget) {
  return {
    Excluded: excludedPaths.length > 0 ? excludedPaths.join(', ') : 'Nothing',
    'Requests per second': requestsPerSecond === null ? 'The default of the level' : `At most ${requestsPerSecond}`,
    Hours: window === null ? 'Always' : `${window.from} to ${window.to} UTC`,
  };
}

/** One path per line. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function RulesForm({ target }: { target: ManagedTarget }): ReactNode {
  const accountId = useAccountId();
  const { verificationId, rules, emergencyContact } = target;
  const [excluded, setExcluded] = useState(rules.excludedPaths.join('\n'));
  const [rate, setRate] = useState<number | string>(rules.requestsPerSecond ?? '');
  const [hours, setHours] = useState(rules.window);
  const [contact, setContact] = useState(emergencyContact ?? '');
  const change = useChange('setTargetRules');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const body = {
          excludedPaths: linesOf(excluded),
          requestsPerSecond: rate === '' ? null : Number(rate),
          window: hours,
          emergencyContact: contact.trim() === '' ? null : contact,
        };
        change.mutate({ params: { accountId, verificationId }, body });
      }}
    >
      <Stack gap="md" maw={560}>
        <Textarea
          label="Excluded paths"
          description="One per line: neither the path nor anything below it is requested. A method before it (POST /orders) or a query after it (/index.php?action=delete) narrows it."
          placeholder={'/logout\nPOST /orders\n/index.php?action=delete'}
          autosize
          minRows={3}
          value={excluded}
          onChange={(event) => setExcluded(event.currentTarget.value)}
        />
        <NumberInput
          label="Requests per second"
          description="From 1 to 50. Empty: the default of the level."
          min={1}
          max={50}
          allowDecimal={false}
          value={rate}
          onChange={setRate}
        />
        <Hours hours={hours} onChange={setHours} />
        <TextInput
          label="Emergency contact"
          description="Whom to call if a test causes harm."
          value={contact}
          onChange={(event) => setContact(event.currentTarget.value)}
        />
        {change.error && <Problem error={change.error} />}
        <Group>
          <Button type="submit" loading={change.isPending}>
            Save the rules
          </Button>
          {change.isSuccess && (
            <Text size="sm" role="status">
              The rules are saved.
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface HoursProps {
  /** Null: always. */
  hours: ManagedTarget['rules']['window'];
  onChange(hours: HoursProps['hours']): void;
}

const USUAL_HOURS = { from: '22:00', to: '06:00' };

function Hours({ hours, onChange }: HoursProps): ReactNode {
  return (
    <>
      <Switch
        label="Test at certain hours only"
        description="Outside of them runs wait, or pause and go on later."
        checked={hours !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? USUAL_HOURS : null)}
      />
      {hours && (
        <Group align="flex-start">
          <TextInput
            type="time"
            label="From (UTC)"
            required
            value={hours.from}
            onChange={(event) => onChange({ ...hours, from: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label="To (UTC)"
            description="Before the start: on the next day"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            required
            value={hours.to}
            onChange={(event) => onChange({ ...hours, to: event.currentTarget.value })}
          />
        </Group>
      )}
    </>
  );
}
