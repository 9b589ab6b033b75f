import { randomInt } from 'node:crypto';

/** The order of the digits is part of the key format: the checksum of every key in use depends on it. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns a random text of letters and digits. */
export function randomBase62(length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += BASE62[randomInt(62)];
  return text;
}

export type NewId = (
  prefix:
    | 'acc'
    | 'usr'
    | 'cru'
    | 'tgt'
    | 'ver'
    | 'pen'
    | 'ret'
    | 'scn'
    | 'fnd'
    | 'chk'
    | 'dsc'
    | 'inv'
    | 'mail'
    | 'dvc',
) => string;

/** Ids contain their kind, so that a pasted id is recognizable; 20 characters are 119 random bits. */
export const newId: NewId = (prefix) => `${prefix}_${randomBase62(20)}`;
