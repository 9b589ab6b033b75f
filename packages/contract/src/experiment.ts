import { z } from 'zod';

const firstClasses = [
  'business-logic',
  'workflow-bypass',
  'price-manipulation',
  'object-access',
  'tenant-isolation',
  'function-access',
  'filter-bypass',
  'predictable-token',
  'evaluated-input',
  'condition-injection',
  'delayed-injection',
  'request-forgery',
  'script-injection',
] as const;

/** The classes of flaws that an experiment can prove. Title, CWE and severity of each are fixed by the service. */
export const experimentClasses = [...firstClasses, 'sequence-bypass'] as const;

const key = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,30}$/)
  .describe('Key of a step.');
/** Text without characters that could end a line of a request. */
const line = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => !/\p{Cc}/u.test(text), { error: 'no control characters' });
const named = (what: string) =>
  z
    .record(line(100).min(1), z.string().max(2_000))
    .refine((fields) => Object.keys(fields).length <= 30, { error: 'at most 30 fields' })
    .describe(what);

const ExperimentValue = z
  .strictObject({
    name: key.describe('Later requests use the value as {{step.name}}.'),
    from: z
      .enum(['json', 'text', 'field', 'link', 'location'])
      .describe(
        'json: by JSON pointer; field: value of the form field with this name; text (the visible text), link (the path of ' +
          'each link and form) and location (the path of the redirect): by a regular expression with one group.',
      ),
    by: line(200).min(1).describe('Pointer, name, or regular expression with one group.'),
  })
  .describe('A value taken from the response of a step.')
  .meta({ id: 'ExperimentValue' });

const ExperimentStep = z
  .strictObject({
    key,
    label: line(200).min(1).describe('What the step does.'),
    as: line(300).nullable().default(null).describe('Name of the test account; null for a visitor without one.'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET').describe('HTTP method.'),
    path: line(2_000)
      .min(1)
      .regex(/^\/(?!\/)/)
      .describe('Path at the target; values taken before may be segments.'),
    query: named('Parameters added to the query.').optional(),
    headers: named('Header fields. Credentials and fields of the connection are not allowed.').optional(),
    form: named('Fields of a form body.').optional(),
    json: z.unknown().optional().describe('JSON body; its strings may contain placeholders.'),
    take: z.array(ExperimentValue).max(8).optional().describe('Values to take from the response.'),
    isCleanUp: z.boolean().optional().describe('Undoes a change of an earlier step.'),
  })
  .describe('A request of an experiment.')
  .meta({ id: 'ExperimentStep' });
export type ExperimentStep = z.infer<typeof ExperimentStep>;

const value = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,30}\.[a-z][a-z0-9_]{0,30}$/)
  .describe('A value taken by a step, as step.name.');
const course = z
  .strictObject({
    steps: z.array(key).min(1).max(10).describe('In the order sent. The last one shows the result.'),
    before: value
      .optional()
      .describe('The number before, such as a balance; without it, `after` is the amount itself.'),
    after: value.describe('The number in the result, such as a balance or a total.'),
  })
  .describe('A course of steps, and what it has cost.')
  .meta({ id: 'ExperimentCourse' });

const stateCourse = z
  .strictObject({
    steps: z
      .array(key)
      .min(4)
      .max(10)
      .describe('In the order sent. The last three: a page by GET, the action, and the same page again.'),
    before: value.describe('The state before the action: a status or a count, taken from the page.'),
    after: value.describe('The same after the action.'),
  })
  .describe('A course of steps that ends with the action, and the state before and after it.')
  .meta({ id: 'ExperimentStateCourse' });

const oracle = <Kind extends string, Fields extends z.core.$ZodLooseShape>(kind: Kind, fields: Fields, about: string) =>
  z.strictObject({ kind: z.literal(kind), ...fields }).describe(about);

const firstOracles = [
  oracle('observe', {}, 'Proves nothing: shows the responses.'),
  oracle(
    'computed',
    { attack: key, control: key },
    'The response of attack contains number × number2, which no request contains: attack has {{number}}*{{number2}} in the ' +
      'syntax of an interpreter, control has both numbers unevaluated in the same place.',
  ),
  oracle(
    'condition',
    { trues: z.array(key).min(2).max(3), falses: z.array(key).min(2).max(3), plain: key },
    'Responses to true conditions are alike, those to false ones are alike, and the two differ. A true one has ' +
      '{{number}}={{number}} in one value, a false one {{number}}={{number2}}. plain has a usual value there.',
  ),
  oracle(
    'canary',
    { write: key, home: key, attack: key, honest: key.optional(), refused: key.optional() },
    'write (as A) writes {{word}}, with fields as the target offers them; home (as A) reads it at the address that the ' +
      'target named; refused (as B) is the ' +
      'same request, refused; honest (as B) is the request of attack without the flaw; attack (as B) reads {{word}}.',
  ),
  oracle(
    'forbidden',
    { attack: key, seen: key, refused: key.optional(), allowed: key.optional() },
    'allowed (as A, with {{word}}) is accepted; refused (as B, with {{word2}}) is the same request, refused; attack ' +
      '(as B, with {{word3}}) differs from it by one field, header or path and is accepted; seen shows {{word3}}.',
  ),
  oracle(
    'difference',
    { shown: value.optional(), honest: course, attack: course },
    'Both courses have the same result, and attack costs less than honest, which costs the amount that the target shows.',
  ),
  oracle(
    'callback',
    { attack: key, control: key },
    'attack has {{callback}}, and the target contacts it. FIRM at most.',
  ),
  oracle('script', { attack: key, control: key }, 'A browser opens attack, a link, and a script calls {{script}}.'),
  oracle(
    'timing',
    { delays: z.array(key).length(6) },
    'Six equal requests, one after the other, with {{delay}} in a call that makes an interpreter wait: 0, 0, 1, 1, 3 and 4 ' +
      'seconds in any order. The responses take this much longer.',
  ),
] as const;

const stateOracle = oracle(
  'state',
  { regular: stateCourse, refused: stateCourse, attack: stateCourse },
  'regular ends with the action, which the page offers and which changes the state. refused ends with the same action, ' +
    'which the target refuses: other values in an earlier step, or a step left out. attack leaves out a step of refused, ' +
    'or undoes a step of regular: the page does not offer the action, but it changes the state as in regular.',
);

const ORACLE = 'The rule that judges the responses.';
const firstOracle = z.discriminatedUnion('kind', firstOracles).describe(ORACLE).meta({ id: 'ExperimentOracle' });
const ExperimentOracle = z
  .discriminatedUnion('kind', [...firstOracles, stateOracle])
  .describe(ORACLE)
  .meta({ id: 'ExperimentOracleV2' });
export type ExperimentOracle = z.infer<typeof ExperimentOracle>;

/** Version 1 never changes. A change that an older reader would not understand becomes a new version. */
export const ExperimentV1 = z
  .strictObject({
    version: z.literal(1).default(1).describe('Version of this schema.'),
    class: z.enum(firstClasses).describe('Class of the flaw.'),
    hypothesis: z.string().min(1).max(500).describe('What is expected, in one or two sentences.'),
    steps: z
      .array(ExperimentStep)
      .min(1)
      .max(20)
      .describe(
        'In the order sent. Placeholders: {{word}}, {{word2}}, {{word3}} (fresh words), {{number}}, {{number2}} (fresh ' +
          'numbers), {{callback}}, {{script}}, {{delay}}, {{step.name}} (a value taken), {{step.name+1}}, {{step.name|upper}}, ' +
          '{{step.name|lower}}.',
      ),
    oracle: firstOracle,
  })
  .describe('An experiment as data: requests, controls and the rule that judges the responses.')
  .meta({ id: 'Experiment' });

/** All versions. The oracle `state` and its class exist since version 2. */
export const Experiment = ExperimentV1.extend({
  version: z.literal([1, 2]).default(1).describe('Version of this schema: 2 for the oracle state.'),
  class: z.enum(experimentClasses).describe('Class of the flaw.'),
  oracle: ExperimentOracle,
})
  .describe('An experiment as data: requests, controls and the rule that judges the responses.')
  .meta({ id: 'ExperimentV2' });
export type Experiment = z.infer<typeof Experiment>;
