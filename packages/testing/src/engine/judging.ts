import type { CheckAbout, Known, Subjects } from '../../../engine/src/active/define-active-check.ts';
import { answersTo, type Nonce, type Observation, type Plan } from '../../../engine/src/active/experiment.ts';
import type { PointRequest } from '../../../engine/src/active/insertion-point.ts';
import type { LabAnswer } from '../../../engine/src/active/lab.ts';

export const nonce: Nonce = { word: 'sabcdef012345', numbers: [4321, 8765, 2468] };

/** Two accounts, like those of the labs. */
export const twoAccounts = ['alice', 'bob'].map((name) => ({ name, marks: [`${name}@shop.test`, name] }));

export type Given = (LabAnswer & Pick<Observation, 'calls' | 'heard'> & { isUnanswered?: true }) | undefined;

export function observed(given: NonNullable<Given>): Observation {
  const { status = 200, headers = {}, body = '', calls, heard, isUnanswered } = given;
  const response = { status, headers: Object.entries(headers), body: Buffer.from(body), isCut: false };
  return {
    ...(calls && { calls }),
    ...(heard && { heard }),
    request: { method: 'GET', url: 'http://shop.test/', purpose: 'test' },
    response: isUnanswered ? null : response,
    failure: isUnanswered ? { code: 'TIMEOUT', message: 'No response.' } : null,
    remote: null,
    firstByteMs: 1,
    durationMs: 1,
  };
}

/** Returns the exchange in which a target answers the request this way. */
export function answered(request: PointRequest, answer: LabAnswer): Observation {
  return { ...observed(answer), request: { ...request, purpose: 'test' } };
}

/** Returns the check's judgement of these responses by their keys in the plan; undefined stands for a request not sent. */
export function judge<About extends keyof Subjects, Variant, Planned extends Plan>(
  check: CheckAbout<About, Variant, Planned>,
  { subject, variant, known = {} }: { subject: Subjects[About]; variant: Variant; known?: Partial<Known> },
  given: Readonly<Partial<Record<keyof Planned, Given>>>,
) {
  const observations = new Map<string, Observation>();
  for (const [key, answer] of Object.entries<Given>(given)) if (answer) observations.set(key, observed(answer));
  const facts = { inventory: [], accounts: twoAccounts, ...known };
  const plan = check.proof.plan(subject, variant, nonce, facts);
  const answers = plan && answersTo(plan, observations);
  return answers ? check.proof.judge(answers, variant, nonce, subject, facts) : 'VOID';
}
