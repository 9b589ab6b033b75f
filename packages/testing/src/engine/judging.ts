import type {
  CheckAbout,
  Known,
  Nonce,
  Observation,
  Subjects,
} from '../../../engine/src/active/define-active-check.ts';
import type { PointRequest } from '../../../engine/src/active/insertion-point.ts';
import type { LabAnswer } from '../../../engine/src/active/lab.ts';

export const nonce: Nonce = { word: 'sabcdef012345', numbers: [4321, 8765, 2468] };

/** Two accounts, like those of the labs. */
export const twoAccounts = ['alice', 'bob'].map((name) => ({ name, marks: [`${name}@shop.test`, name] }));

export type Given = (LabAnswer & Pick<Observation, 'calls' | 'heard'>) | undefined;

export function observed({ status = 200, headers = {}, body = '', calls, heard }: NonNullable<Given>): Observation {
  return {
    ...(calls && { calls }),
    ...(heard && { heard }),
    request: { method: 'GET', url: 'http://shop.test/', purpose: 'test' },
    response: { status, headers: Object.entries(headers), body: Buffer.from(body), isCut: false },
    failure: null,
    remote: null,
    firstByteMs: 1,
    durationMs: 1,
  };
}

/** Returns the exchange in which a target answers the request this way. */
export function answered(request: PointRequest, answer: LabAnswer): Observation {
  return { ...observed(answer), request: { ...request, purpose: 'test' } };
}

/** Returns the check's judgement of these responses by label; undefined stands for a missing response. */
export function judge<About extends keyof Subjects, Variant>(
  check: CheckAbout<About, Variant>,
  { subject, variant, known = {} }: { subject: Subjects[About]; variant: Variant; known?: Partial<Known> },
  given: Readonly<Record<string, Given>>,
) {
  const answers = new Map<string, Observation>();
  for (const [label, answer] of Object.entries(given)) if (answer) answers.set(label, observed(answer));
  return check.proof.judge(answers, variant, nonce, subject, { inventory: [], accounts: twoAccounts, ...known });
}
