import { randomInt } from 'node:crypto';

/** Below 2^26, so that the product of two remainders is exact. */
const PRIMES = [67_108_859, 67_108_837] as const;
const SHIFT = 2 ** 26;

function remainder(number: number, prime: number): number {
  const rest = number - Math.floor(number / prime) * prime;
  if (rest < 0) return rest + prime;
  return rest >= prime ? rest - prime : rest;
}

/** By code unit and not by text, because the lower case of a text may have another length. */
function foldedCode(code: number): number {
  // Forms encode a space as a plus sign.
  if (code === 0x2b) return 0x20;
  const lower = String.fromCharCode(code).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
}

const FOLDED = new Uint16Array(0x10000).map((_, code) => foldedCode(code));

/** Returns the code unit at an index in lower case, and a space for a plus sign. */
export const foldedCodeAt = (text: string, index: number): number => FOLDED[text.charCodeAt(index)] ?? 0;

interface TextHash {
  ofRun(text: string, start: number, end: number): number;
  /** Returns a function that hashes any part of the text in constant time. */
  ofParts(text: string): (start: number, end: number) => number;
}

/** Polynomial hashes of folded text with secret bases, so that a hash reveals nothing about its token. */
export function createTextHash(): TextHash {
  const [one, other] = PRIMES;
  const [oneBase, otherBase] = [randomInt(SHIFT / 2, one), randomInt(SHIFT / 2, other)];
  const [onePowers, otherPowers] = [[1], [1]];
  /** Up to the longest part that was asked for. */
  const raise = (powers: number[], base: number, prime: number, exponent: number) => {
    for (let next = powers.length; next <= exponent; next++)
      powers.push(remainder((powers[next - 1] ?? 0) * base, prime));
    return powers[exponent] ?? 0;
  };
  const partOf = (prefix: Uint32Array, power: number, prime: number, start: number, end: number) =>
    remainder((prefix[end] ?? 0) - remainder((prefix[start] ?? 0) * power, prime), prime);
  return {
    ofRun(text, start, end) {
      let [first, second] = [0, 0];
      for (let index = start; index < end; index++) {
        const code = foldedCodeAt(text, index);
        first = remainder(first * oneBase + code, one);
        second = remainder(second * otherBase + code, other);
      }
      return first * SHIFT + second;
    },
    ofParts(text) {
      const [first, second] = [new Uint32Array(text.length + 1), new Uint32Array(text.length + 1)];
      for (let index = 0; index < text.length; index++) {
        const code = foldedCodeAt(text, index);
        first[index + 1] = remainder((first[index] ?? 0) * oneBase + code, one);
        second[index + 1] = remainder((second[index] ?? 0) * otherBase + code, other);
      }
      return (start, end) => {
        const onePower = raise(onePowers, oneBase, one, end - start);
        const otherPower = raise(otherPowers, otherBase, other, end - start);
        return partOf(first, onePower, one, start, end) * SHIFT + partOf(second, otherPower, other, start, end);
      };
    },
  };
}
