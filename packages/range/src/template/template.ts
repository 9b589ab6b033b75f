import { evaluate } from '../expression/evaluate.ts';
import type { World } from '../expression/values.ts';

/** How expressions are marked in the text. */
const MARKS = { curly: /\{\{(.*?)\}\}/gs, dollar: /\$\{(.*?)\}/gs, percent: /<%=(.*?)%>/gs };

const LONGEST = 4_000;

/** Fills in the expressions of a template. Throws a SyntaxError at one that is none. */
export function render(template: string, marks: keyof typeof MARKS, world: World): string {
  return template
    .slice(0, LONGEST)
    .replaceAll(MARKS[marks], (_, expression: string) => String(evaluate(expression, world) ?? ''));
}
