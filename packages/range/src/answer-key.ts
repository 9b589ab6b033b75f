import type { Flaw } from './flaw.ts';
import { frontFlaws } from './front-flaws.ts';
import { sqlFlaws } from './sql/flaws.ts';

/** The flaws of each area, under the name of its page. */
export const areas = {
  databases: sqlFlaws,
} satisfies Record<string, readonly Flaw[]>;

export const answerKey: readonly Flaw[] = [...frontFlaws, ...Object.values(areas).flat()];
