import type { StackName } from '../../../crawl/readers/stack.ts';

/** The concrete change per component, in one or two sentences. */
export type StackFixes = Readonly<Partial<Record<StackName, string>>>;

/** By CWE, or by the id of a check where others of its CWE need another change. */
export type FixTable = Readonly<Record<string, StackFixes>>;
