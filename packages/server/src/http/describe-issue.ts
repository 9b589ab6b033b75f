import type { z } from 'zod';

const types: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'text',
};

const units: Record<string, string> = { array: 'entries', string: 'characters' };

/**
 * Returns the message for a schema violation that has no message of its own, to follow the field name. It never quotes
 * the value, which may be a password.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? 'of another type'}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.minimum === 1 && issue.origin in units
        ? 'must not be empty'
        : `must ${amount(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${amount(issue.origin, 'at most', issue.maximum)}`;
    default:
      return 'is not valid';
  }
}

function amount(origin: string, bound: string, limit: number | bigint): string {
  const unit = units[origin];
  const number = limit.toLocaleString('en-US');
  return unit === undefined ? `be ${bound} ${number}` : `have ${bound} ${number} ${unit}`;
}
