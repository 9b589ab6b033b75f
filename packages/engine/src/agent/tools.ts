import { Experiment } from '@sortie/contract';
import { z } from 'zod';
import type { ModelTool, ToolCall } from '../protocol/model-call.ts';
import { specialistNames } from './specialists.ts';

const text = (most: number) => z.string().max(most);
const session = text(200).nullable().describe('name of a test account, or null for an anonymous visitor');
const path = text(2_000).min(1).describe('path with query, such as /orders?status=open, or a URL of the target');
const why = text(500).describe('what you expect, in one sentence');

const Parameter = z.strictObject({
  location: z.enum(['query', 'form', 'json']),
  name: text(200).min(1),
  value: text(2_000).describe('a valid, harmless value'),
});

const Action = z.strictObject({
  kind: z.enum(['click', 'fill']),
  target: text(200).min(1).describe('visible text of a link or button, or name or label of a field'),
  value: text(500).default('').describe('what to fill in'),
});

const inputs = {
  list_requests: z.strictObject({
    filter: text(200).optional().describe('only URLs that contain this text'),
    from: z.int().min(0).default(0).describe('number of the first row'),
  }),
  assign: z.strictObject({
    tasks: z
      .array(z.strictObject({ specialist: z.enum(specialistNames), goal: text(600).min(1) }))
      .min(1)
      .max(12),
  }),
  request: z.strictObject({ path, as: session.default(null) }),
  browse: z.strictObject({ path, as: session.default(null), actions: z.array(Action).max(10).default([]) }),
  diff: z.strictObject({ first: text(20), second: text(20) }),
  test: z.strictObject({
    method: z.enum(['GET', 'POST']),
    path: text(2_000).min(1).describe('path without query'),
    parameters: z.array(Parameter).min(1).max(20),
    as: session.default(null),
    why,
  }),
  run_check: z.strictObject({
    check: text(100).describe('id of a check'),
    request: text(20).describe('id of a row of list_requests'),
    as: session.optional(),
    values: z
      .array(z.strictObject({ name: text(200).min(1), value: text(2_000) }))
      .max(20)
      .default([])
      .describe('other values of its parameters'),
    why,
  }),
  propose_experiment: Experiment,
  callback_new: z.strictObject({}),
  callback_poll: z.strictObject({ id: text(20) }),
  note: z.strictObject({ text: text(500).min(1) }),
  finish: z.strictObject({ summary: text(1_000) }),
  rewrite: z.strictObject({
    finding: text(20),
    description: text(4_000),
    remediation: text(4_000),
    confidence: z.enum(['FIRM', 'TENTATIVE']).optional().describe('only to lower it'),
  }),
} as const;

const descriptions: Record<ToolName, string> = {
  list_requests: 'Lists the kinds of requests that are known, with their ids and parameters.',
  assign: 'Gives out tasks to specialists. They work at the same time.',
  request: 'Reads a page or an API of the target. Returns an id, the status and an excerpt.',
  browse:
    'Opens a page in a browser, clicks and fills in, and returns what a user sees. Requests that change data are not sent.',
  diff: 'Compares two responses of request or browse by their ids.',
  test: 'Runs all checks that apply to one request and its parameters. Costs up to some hundred requests.',
  run_check: 'Runs one check on a known request, with other values or as another account than before.',
  propose_experiment:
    'Carries out requests that you describe, and proves by a rule that you choose whether there is a flaw: twice, with fresh ' +
    'values. Begin with the oracle "observe" to see the responses. Its controls must show what the target forbids.',
  callback_new: 'Returns a URL and a host name that record who contacts them.',
  callback_poll: 'Returns what has contacted the URL or the host name of this id.',
  note: 'Keeps something that you have learned.',
  finish: 'Ends your work.',
  rewrite: 'Replaces description and remediation of a finding.',
};

type ToolName = keyof typeof inputs;
export type ToolInput = { [Name in ToolName]: { name: Name; input: z.output<(typeof inputs)[Name]> } }[ToolName];

/** The tools of each kind of agent. */
const toolsOf = {
  coordinator: ['list_requests', 'assign', 'note', 'finish'],
  specialist: [
    'list_requests',
    'request',
    'browse',
    'diff',
    'test',
    'run_check',
    'propose_experiment',
    'callback_new',
    'callback_poll',
    'note',
    'finish',
  ],
  reporter: ['rewrite', 'finish'],
} as const satisfies Record<string, readonly ToolName[]>;
export type AgentKind = keyof typeof toolsOf;

/** The tools, as the model learns of them. */
export const modelTools = (kind: AgentKind): ModelTool[] =>
  toolsOf[kind].map((name) => {
    const { $schema, ...parameters } = z.toJSONSchema(inputs[name], { io: 'input' });
    return { name, description: descriptions[name], parameters };
  });

/** Returns the parsed call, or what is wrong with it, so that the model can correct it. */
export function readToolCall({ name, input }: ToolCall, kind: AgentKind): ToolInput | { problem: string } {
  const names: readonly string[] = toolsOf[kind];
  if (!names.includes(name)) return { problem: `There is no such tool. The tools are ${names.join(', ')}.` };
  const parsed = inputs[name as ToolName].safeParse(input);
  if (parsed.success) return { name, input: parsed.data } as ToolInput;
  const problems = parsed.error.issues
    .slice(0, 5)
    .map(({ path: at, message }) => `${at.join('.') || 'input'}: ${message}`);
  return { problem: `The input is invalid. ${problems.join('; ')}` };
}
