import { evaluate } from '../expression/evaluate.ts';
import type { World } from '../expression/values.ts';

/** Delimiters of expressions. */
const MARKS = { curly: /\{\{(.*?)\}\}/gs, dollar: /\$\{(.*?)\}/gs, percent: /<%=(.*?)%>/gs };

const LONGEST = 4_000;

/** Evaluates the expressions of a template. Throws a SyntaxError for an invalid one. */
export function render(template: string, marks: keyof typeof MARKS, world: World): string {
  return template
    .slice(0, LONGEST)
    .replaceAll(MARKS[marks], (_, expression: string) => String(evaluate(expression, world) ?? ''));
}
