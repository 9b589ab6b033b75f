import { z } from 'zod';
import { ModelMessage } from '../protocol/model-call.ts';

/** A response that the model may compare with another, as it has read it. */
const Read = z.strictObject({ id: z.string(), place: z.string(), status: z.int(), text: z.string() });

/** What an agent has done so far: saved after each round, so that the next attempt goes on from there. */
const AgentState = z.strictObject({
  /** Its specialist, or the coordinator. */
  name: z.string(),
  goal: z.string(),
  messages: z.array(ModelMessage),
  reads: z.array(Read),
  turns: z.int(),
  mostTurns: z.int(),
  /** Requests that its tools have sent. */
  requests: z.int(),
  mostRequests: z.int(),
  /** The most that all its calls may cost, in microdollars. */
  share: z.int(),
  tests: z.int(),
  /** Turns in a row that brought nothing new. */
  idle: z.int(),
  /** How often calls were made, by a hash of name and input, to refuse repeats. */
  calls: z.record(z.string(), z.int()),
  notes: z.array(z.string()),
  /** Number of callback ids that it was given. */
  callbacks: z.int(),
  /** Passages of the target that read like instructions to a model, and where the first was. */
  withheld: z.int(),
  withheldAt: z.string().nullable(),
  /** Why it ended; null while it works. */
  ended: z.string().nullable(),
});
export type AgentState = z.infer<typeof AgentState>;

/** What the reporter may say in other words. Only what the engine itself has written, so nothing of it needs a check. */
export const ReportedFinding = z.strictObject({
  fingerprint: z.string(),
  title: z.string(),
  severity: z.string(),
  confidence: z.string(),
  place: z.string(),
  description: z.string(),
  remediation: z.string(),
  impact: z.string(),
  /** Whether a test found it that an agent asked for. */
  isPlanned: z.boolean(),
});
export type ReportedFinding = z.infer<typeof ReportedFinding>;

/** All agents of a run. */
export const PlannerState = z.strictObject({
  /** Number of times that the coordinator has given out tasks. */
  waves: z.int(),
  coordinator: AgentState.nullable(),
  agents: z.array(AgentState),
  /** Titles of the findings of all tests, with their confidence. */
  findings: z.array(ReportedFinding),
  /** Number of findings that the reporter has had. */
  reported: z.int(),
  rewritten: z.int(),
  /** Why planning ended; null while it goes on. */
  ended: z.string().nullable(),
});
export type PlannerState = z.infer<typeof PlannerState>;

export const startPlanner = (): PlannerState => ({
  waves: 0,
  coordinator: null,
  agents: [],
  findings: [],
  reported: 0,
  rewritten: 0,
  ended: null,
});

type Allotted = Pick<AgentState, 'name' | 'goal' | 'mostTurns' | 'mostRequests' | 'share'>;

export const startAgent = (allotted: Allotted): AgentState => ({
  ...allotted,
  messages: [],
  reads: [],
  turns: 0,
  requests: 0,
  tests: 0,
  idle: 0,
  calls: {},
  notes: [],
  callbacks: 0,
  withheld: 0,
  withheldAt: null,
  ended: null,
});
